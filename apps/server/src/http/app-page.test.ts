import { createHash } from 'node:crypto'
import { readSettings } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { createAppPage } from './app-page.ts'

const TEMPLATE = '<html><head><title>T</title></head><body></body></html>'
const page = (options: Record<string, string>) =>
  createAppPage(TEMPLATE)(readSettings(new Map(Object.entries(options))))
const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

describe("the console's page", () => {
  it('is unchanged without additions of the operator', () => {
    const { html, policy } = page({})

    expect(html).toBe(TEMPLATE)
    expect(policy).toContain("script-src 'self';")
  })

  it('appends the additions of the operator to its head, with versioned URLs of style sheet and script', () => {
    const { html } = page({ custom_head_html: '<meta name="a">', global_css: 'b {}', global_js: 'c()' })

    expect(html).toMatch(
      /<title>T<\/title>\n<link rel="stylesheet" href="\/custom\/global\.css\?v=[\w-]{10}">\n<script src="\/custom\/global\.js\?v=[\w-]{10}" defer><\/script>\n<meta name="a">\n<\/head>/,
    )
  })

  it('allows scripts of the custom head by hash or URL, but not inline scripts in general', () => {
    const head = [
      '<script>let a = 1\r\n</script>',
      '<script async src="https://count.example/a;b.js?site=1" data-site="x"></script>',
      "<SCRIPT data-src='https://no.example/x.js'>b()</SCRIPT >",
      '<script src="http://plain.example/x.js"></script>',
      '<script src="/custom/own.js"></script>',
    ].join('')

    const { html, policy } = page({ custom_head_html: head })

    const scripts = /script-src ([^;]*);/.exec(policy)![1]!
    expect(scripts).toBe(`'self' ${hash('let a = 1\n')} https://count.example/a%3Bb.js ${hash('b()')}`)
    expect(html).toContain('<script>let a = 1\n</script>')
    expect(policy).not.toMatch(/script-src[^;]*unsafe/)
  })
})
