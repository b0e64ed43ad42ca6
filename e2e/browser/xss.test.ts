import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { inertness, watchForScripts, watchForStrangers } from './inertness.ts'
import { startConsole } from './start-console.ts'
import { HTML_VECTORS, LAST_VECTORS, MARKDOWN_VECTORS } from './xss-vectors.ts'

const console = startConsole()

/** One page holds many, as long as none of them swallows the mark behind it. */
const AT_ONCE = 30

const groupsOf = (vectors: readonly string[]) =>
  Array.from({ length: Math.ceil(vectors.length / AT_ONCE) }, (_, index) => ({
    group: index + 1,
    vectors: vectors.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  }))

const mark = (index: number) => `mark-${index}-here`

/** Begins and ends with a tag, which makes it HTML. */
const asHtml = (vectors: readonly string[]) =>
  vectors.map((vector, index) => `<p>${mark(index)}</p>\n<div>${vector}</div>\n`).join('') +
  `<p>${mark(vectors.length)}</p>`

const asMarkdown = (vectors: readonly string[]) =>
  [...vectors.map((vector, index) => `${mark(index)}\n\n${vector}`), mark(vectors.length)].join('\n\n')

describe('the corpus', () => {
  it('is as large as we promise', () => {
    expect(new Set([...HTML_VECTORS, ...LAST_VECTORS, ...MARKDOWN_VECTORS]).size).toBeGreaterThan(200)
  })
})

describe('text by others, in the about page, the notice, the footer and the home page', () => {
  it.each(groupsOf(HTML_VECTORS))('has no effect as HTML and within Markdown (group $group)', async ({ vectors }) => {
    const [html, markdown] = [asHtml(vectors), asMarkdown(vectors)]
    const page = await watchedPage()
    await write(page, { about: html, notice: markdown, footer: html, home: markdown })

    await page.goto('/about')
    const about = await inertness(page, { html: 2, markdown: 1, marks: vectors.map((_, index) => mark(index)) })
    await page.goto('/')
    const home = await inertness(page, { html: 1, markdown: 2, marks: vectors.map((_, index) => mark(index)) })

    expect({ about, home }).toEqual({ about: [], home: [] })
  })

  it.each(groupsOf(MARKDOWN_VECTORS))('has no effect as Markdown (group $group)', async ({ vectors }) => {
    const page = await watchedPage()
    await write(page, { about: asMarkdown(vectors) })

    await page.goto('/about')

    expect(await inertness(page, { html: 0, markdown: 1, marks: vectors.map((_, index) => mark(index)) })).toEqual([])
  })

  it.each(LAST_VECTORS)('has no effect when it never ends: %j', async (vector) => {
    const html = `<p>${mark(0)}</p>${vector}>`
    const page = await watchedPage()
    await write(page, { about: html, notice: `${mark(0)}\n\n${vector}`, footer: html })

    await page.goto('/about')

    expect(await inertness(page, { html: 2, markdown: 1, marks: [mark(0)] })).toEqual([])
  })

  it('would be found out if it had one', async () => {
    const page = await watchedPage()
    await page.goto('/about')
    await page.evaluate(() => {
      const place = document.createElement('div')
      place.dataset.format = 'html'
      document.body.append(place)
      place.innerHTML =
        '<p>mark-0-here</p><b id="clobbered" style="position: fixed" onclick="alert(1)">x</b><form></form>'
      setTimeout(() => alert(1))
    })

    const faults = await inertness(page, { html: 1, markdown: 0, marks: [mark(0)] })

    expect(faults.join('\n')).toMatch(/dialog/)
    expect(faults.join('\n')).toMatch(/script-src-attr/)
    expect(faults.join('\n')).toMatch(/<form>/)
    expect(faults.join('\n')).toMatch(/b onclick/)
    expect(faults.join('\n')).toMatch(/position/)
    expect(faults.join('\n')).toMatch(/clobbered/)
  })
})

async function watchedPage(): Promise<Page> {
  const page = await console.visitor()
  await watchForScripts(page)
  return page
}

/** Where the operator's texts come from. Given to the page as they are: the database would not keep all of them. */
async function write(page: Page, texts: Texts): Promise<void> {
  await page.unrouteAll()
  await watchForStrangers(page)
  for (const [path, text] of Object.entries({
    '/api/about': texts.about,
    '/api/notice': texts.notice ?? '',
    '/api/home_page_content': texts.home ?? '',
  })) {
    await page.route(`**${path}`, (route) => route.fulfill({ json: { success: true, message: '', data: text } }))
  }
  await page.route('**/api/status', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: object }
    const json = { ...answer, data: { ...answer.data, footer_html: texts.footer ?? '' } }
    await route.fulfill({ response, json })
  })
}

interface Texts {
  about: string
  notice?: string
  footer?: string
  home?: string
}
