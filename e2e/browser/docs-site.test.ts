import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useBrowser } from './browser.ts'
import { openSite, type Site } from './site.ts'

const PHONE = { width: 390, height: 844 }
const browser = useBrowser()
let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

/** What a page complained of, and whom it asked beside us. */
function listen(page: Page): { complaints: string[]; strangers: string[] } {
  const heard = { complaints: [] as string[], strangers: [] as string[] }
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) heard.complaints.push(message.text())
  })
  page.on('pageerror', (error) => heard.complaints.push(error.message))
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(site.server.url)) {
      heard.strangers.push(request.url())
    }
  })
  return heard
}

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

describe.each([
  {
    locale: 'en-US',
    root: '/docs/',
    start: 'Quick start',
    search: 'Search',
    word: 'journal',
    dark: 'Switch to dark theme',
  },
  { locale: 'zh-CN', root: '/docs/zh/', start: '快速开始', search: '搜索', word: '租约', dark: '切换到深色' },
] as const)('the documentation at $root', ({ locale, root, start, search, word, dark }) => {
  it('is read, searched and darkened without a complaint', async () => {
    const page = await browser.newPage({ baseURL: site.server.url, locale })
    const heard = listen(page)
    await page.goto(root)
    await page.getByRole('link', { name: start, exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: start }).waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe(`${root}quick-start`)

    await page.getByRole('button', { name: search, exact: true }).click()
    await page.getByRole('searchbox').fill(word)
    const first = page.locator('.VPLocalSearchBox .result').first()
    await expect.poll(() => first.innerText()).toMatch(new RegExp(word, 'i'))
    await first.click()
    await expect.poll(() => new URL(page.url()).pathname).not.toBe(`${root}quick-start`)

    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const before = await background()
    await page.getByRole('switch', { name: dark }).first().click()
    await expect.poll(background).not.toBe(before)
    await page.reload()
    expect(await background()).not.toBe(before) // kept, and set before the first paint by the script in the page

    expect(heard).toEqual({ complaints: [], strangers: [] })
  })

  it('fits a phone, tables and pictures too', async () => {
    const page = await browser.newPage({ baseURL: site.server.url, locale, viewport: PHONE })
    const heard = listen(page)
    for (const path of ['', 'quick-start', 'concepts/call', 'guides/operator', 'compare', 'reference/api']) {
      await page.goto(root + path)
      await page.locator('#VPContent h1').first().waitFor()
      expect([path, await sideways(page)]).toEqual([path, 0])
    }

    expect(heard).toEqual({ complaints: [], strangers: [] })
  })
})
