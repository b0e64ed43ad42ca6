import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CONTENTS } from '../../../docs/.vitepress/contents.ts'
import { sharedSite } from '../shared-site.ts'
import { inlineScriptsOf, runnableBlocks, scriptHash } from './docs/read-page.ts'

const DOCS = join(import.meta.dirname, '../../../docs')
/** More pages may follow; every page of the sidebar exists in both languages. */
const PAGES = CONTENTS.flatMap(({ entries }) => entries.map(({ path }) => path)).filter((path) =>
  existsSync(join(DOCS, `${path}.md`)),
)

/** Files are compressed when the product is built. */
const COMPRESSED = process.env.TEST_SERVER === 'sources' ? null : 'br'

const server = sharedSite()

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers, redirect: 'manual' })

describe('the documentation of a running server', () => {
  it.each(PAGES)('has %s in both languages and runs only its own scripts', async (path) => {
    for (const [language, lang] of [
      ['', 'en'],
      ['zh/', 'zh-CN'],
    ] as const) {
      const response = await get(`/docs/${language}${path}`)
      const html = await response.text()
      const policy = response.headers.get('content-security-policy') ?? ''

      expect(response.status).toBe(200)
      expect(html).toContain(`<html lang="${lang}"`)
      expect(html).toContain('<h1')
      expect(/script-src ([^;]*)/.exec(policy)?.[1]).not.toContain('unsafe-inline')
      for (const script of inlineScriptsOf(html)) expect(policy).toContain(scriptHash(script))
      expect(response.headers.get('cache-control')).toBe('no-cache')
    }
  })

  it.each([
    ['/docs/zh', '/docs/zh/'],
    ['/docs/get-started/quick-start/?a=1', '/docs/get-started/quick-start?a=1'],
  ])('redirects from %s to %s, where relative links work', async (path, target) => {
    const response = await get(path)

    expect([response.status, response.headers.get('location')]).toEqual([308, target])
  })

  it.each([
    ['zh-CN,zh;q=0.9,en;q=0.8', '/docs/zh/'],
    ['fr-FR,en;q=0.5', '/docs/'],
    ['de', '/docs/'],
  ])('opens the start page for a browser that prefers %s', async (language, target) => {
    const response = await get('/docs', { 'accept-language': language })

    expect([response.status, response.headers.get('location')]).toEqual([302, target])
    expect(response.headers.get('vary')).toContain('Accept-Language')
  })

  it.each(['no-such-page', 'assets/no-such-file.js', 'zh/no-such-page'])('responds 404 for %s', async (path) => {
    const response = await get(`/docs/${path}`)

    expect(response.status).toBe(404)
    expect(await response.text()).toContain('<title>404 | Tidegate</title>')
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'")
  })

  it('has every page as Markdown, and lists them for language models', async () => {
    const page = await get('/docs/zh/guides/operate.md')
    const list = await get('/llms.txt')

    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8'])
    expect(await page.text()).toMatch(/^# \S/)
    expect([list.status, list.headers.get('location')]).toEqual([302, '/docs/llms.txt'])
    const text = await (await get('/docs/llms.txt')).text()
    const addresses = [...text.matchAll(/\]\((\/docs\/[^)]+\.md)\)/g)].map((match) => match[1]!)
    const statuses = await Promise.all(addresses.map(async (address) => (await get(address)).status))
    expect(addresses.length).toBeGreaterThan(100)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('caches hashed files forever and loads nothing from other hosts', async () => {
    const html = await (await get('/docs/')).text()
    const script = /src="(\/docs\/assets\/app\.[^"]+\.js)"/.exec(html)![1]!
    const response = await get(script, { 'accept-encoding': 'gzip, br' })

    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-encoding')).toBe(COMPRESSED)
    const fetched = [...html.matchAll(/<(?:script|link|img)\b[^>]*?(?:src|href)="([^"]+)"/g)].map((match) => match[1]!)
    expect(fetched.filter((address) => !address.startsWith('/docs/'))).toEqual([])
  })
})

describe('the quick start', () => {
  const blocksIn = async (page: string) => runnableBlocks(await readFile(join(DOCS, page), 'utf8'))

  it('has the same commands in Chinese, with another question', async () => {
    const withoutQuestion = (blocks: string[]) => blocks.map((text) => text.replace(/"content": "[^"]*"/, ''))

    expect(withoutQuestion(await blocksIn('zh/get-started/quick-start.md'))).toEqual(
      withoutQuestion(await blocksIn('get-started/quick-start.md')),
    )
  })
})
