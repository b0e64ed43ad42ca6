import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { render, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { App } from '../kit/index.ts'
import MarkdownContent from './markdown-content.tsx'
import { sanitiseHtml } from './sanitise-html.ts'

/** The browser tests use the same vectors. */
const CORPUS = join(import.meta.dirname, '../../../../../e2e/browser/xss-vectors.json')
const { html, unclosed, markdown } = JSON.parse(readFileSync(CORPUS, 'utf8')) as Record<string, string[]>

/** Independent of the list of the sanitiser. */
const ALLOWED = new Set(
  `a abbr address article b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn div dl dt em
  figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li mark ol p pre q rp rt ruby s samp section small
  span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr`.split(/\s+/),
)
const FORBIDDEN_ATTRIBUTE =
  /^on|^(id|name|action|formaction|srcset|srcdoc|ping|is|slot|background|xlink:href|http-equiv)$/i

it('sanitises every vector as HTML', () => {
  const problems = [...html!, ...unclosed!].flatMap((vector) => {
    const container = document.createElement('div')
    container.append(sanitiseHtml(vector))
    return problemsIn(container).map((problem) => `${vector}: ${problem}`)
  })

  expect(problems).toEqual([])
})

it('sanitises every vector as Markdown', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {}) // React reports invalid nesting
  const problems: string[] = []
  for (const text of [html!.join('\n\n'), markdown!.join('\n\n'), ...unclosed!]) {
    const { container, unmount } = render(
      <App>
        <MarkdownContent text={`rendered\n\n${text}`} />
      </App>,
    )
    await waitFor(() => expect(container.textContent).toContain('rendered'))
    problems.push(...problemsIn(container.querySelector('[data-format]')!))
    unmount()
  }

  expect(problems).toEqual([])
})

function problemsIn(container: Element): string[] {
  // Formulas and copy buttons are trusted markup.
  const elements = [...container.querySelectorAll<HTMLElement>('*')].filter(
    (element) => !element.closest('.katex, .ant-btn'),
  )
  return elements.flatMap((element) => {
    const name = element.localName
    const problems = ALLOWED.has(name) ? [] : [`<${name}>`]
    for (const { name: attribute, value } of element.attributes) {
      if (FORBIDDEN_ATTRIBUTE.test(attribute)) problems.push(`${name} ${attribute}="${value}"`)
      if (attribute === 'class' && /\bant-/.test(value)) problems.push(`${name} class="${value}"`)
    }
    const style = element.getAttribute('style') ?? ''
    if (/position|z-index|inset|transform|filter|url|expression|javascript|margin[^:]*:\s*-/i.test(style))
      problems.push(`${name} style="${style}"`)
    if (element instanceof HTMLAnchorElement && element.hasAttribute('href')) {
      if (!['http:', 'https:', 'mailto:'].includes(element.protocol)) problems.push(`link to ${element.href}`)
      if (element.target !== '_blank' || element.rel !== 'noopener noreferrer nofollow')
        problems.push(`link with rel="${element.rel}"`)
    }
    if (element instanceof HTMLImageElement && !/^(https?:|data:image\/(?!svg))/.test(element.src))
      problems.push(`image at ${element.src}`)
    return problems
  })
}
