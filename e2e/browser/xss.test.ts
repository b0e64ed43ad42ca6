import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findScriptEffects, watchForScripts, watchForeignRequests } from './support/script-watch.ts'
import { startConsole } from './support/start-console.ts'

/** The unit tests of both sanitizers read the same vectors. Unclosed vectors swallow what follows them. */
const { html, unclosed, markdown } = JSON.parse(
  readFileSync(new URL('xss-vectors.json', import.meta.url), 'utf8'),
) as Record<'html' | 'unclosed' | 'markdown', string[]>

const console = startConsole()

it('runs none of the vectors on the about page, in the announcement, in the footer and on the home page', async () => {
  const page = await watchedPage()
  const marks = html.map((_, index) => mark(index))
  await write(page, {
    about: asHtml(html),
    announcement: asMarkdown(html),
    footer: asHtml(html),
    home: asMarkdown(html),
  })
  await page.goto('/about')
  await readAnnouncement(page)
  const about = await findScriptEffects(page, { html: 2, markdown: 1, marks })
  await page.goto('/')
  await readAnnouncement(page)
  const home = await findScriptEffects(page, { html: 1, markdown: 2, marks })
  await write(page, { about: asMarkdown(markdown) })
  await page.goto('/about')
  const asText = await findScriptEffects(page, { html: 0, markdown: 1, marks: markdown.map((_, index) => mark(index)) })

  expect({ about, home, asText }).toEqual({ about: [], home: [], asText: [] })
})

it('runs none of the unclosed vectors, each in one of three places', async () => {
  const page = await watchedPage()
  const faults: Record<string, string[]> = {}
  for (let first = 0; first < unclosed.length; first += 3) {
    const [one = '', two = '', three = ''] = unclosed.slice(first, first + 3)
    const asParagraph = (vector: string) => `<p>${mark(0)}</p>${vector}>`
    await write(page, { about: asParagraph(one), announcement: `${mark(0)}\n\n${two}`, footer: asParagraph(three) })
    await page.goto('/about')
    await readAnnouncement(page)
    faults[[one, two, three].join(' ')] = await findScriptEffects(page, { html: 2, markdown: 1, marks: [mark(0)] })
  }

  expect(Object.entries(faults).filter(([, found]) => found.length > 0)).toEqual([])
})

it('detects what an unsanitized text would do, which the content security policy blocks', async () => {
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

  const faults = (await findScriptEffects(page, { html: 1, markdown: 0, marks: [mark(0)] })).join('\n')

  for (const fault of ['dialog', 'script-src-attr', '<form>', 'b onclick', 'position', 'clobbered'])
    expect(faults).toContain(fault)
})

const mark = (index: number) => `mark-${index}-here`

/** Begins and ends with a tag, which makes it HTML. */
const asHtml = (vectors: readonly string[]) =>
  vectors.map((vector, index) => `<p>${mark(index)}</p>\n<div>${vector}</div>\n`).join('') +
  `<p>${mark(vectors.length)}</p>`

const asMarkdown = (vectors: readonly string[]) =>
  [...vectors.map((vector, index) => `${mark(index)}\n\n${vector}`), mark(vectors.length)].join('\n\n')

/** The bar has one line of plain text; the dialog draws the whole announcement. */
const readAnnouncement = (page: Page) => page.getByRole('button', { name: 'Read', exact: true }).click()

async function watchedPage(): Promise<Page> {
  const page = await console.anonymous({ locale: 'en-US' })
  await watchForScripts(page)
  return page
}

interface Texts {
  about: string
  announcement?: string
  footer?: string
  home?: string
}

/** Serves the operator's texts instead of the server, because the database does not store all of them unchanged. */
async function write(page: Page, texts: Texts): Promise<void> {
  await page.unrouteAll()
  await watchForeignRequests(page)
  for (const [path, text] of Object.entries({
    '/api/about': texts.about,
    '/api/notice': texts.announcement ?? '',
    '/api/home_page_content': texts.home ?? '',
  })) {
    await page.route(`**${path}`, (route) => route.fulfill({ json: { success: true, message: '', data: text } }))
  }
  await page.route('**/api/status', async (route) => {
    const response = await route.fetch()
    const envelope = (await response.json()) as { data: object }
    const json = { ...envelope, data: { ...envelope.data, footer_html: texts.footer ?? '' } }
    await route.fulfill({ response, json })
  })
}
