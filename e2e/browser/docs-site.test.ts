import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { startConsole } from './support/start-console.ts'

const PHONE_390 = { width: 390, height: 844 }
const console = startConsole()

it('is read, searched and switched to the dark theme without errors and without other servers', async () => {
  const page = await console.anonymous({ locale: 'en-US' })
  const problems = listenForProblems(page)
  await page.goto('/docs/')
  await page.getByRole('link', { name: 'Quick start', exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Quick start' }).waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/docs/get-started/quick-start')

  await search(page, 'Search', 'journal')
  await expect.poll(() => new URL(page.url()).pathname).not.toBe('/docs/get-started/quick-start')

  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await background()
  await page.getByRole('switch', { name: 'Switch to dark theme' }).first().click()
  await expect.poll(background).not.toBe(light)
  await page.reload()
  expect(await background()).not.toBe(light) // set before the first paint by the script in the page

  await page.goto('/docs/zh/get-started/quick-start')
  await page.getByRole('heading', { level: 1, name: '快速开始' }).waitFor()
  await search(page, '搜索', '限流')
  await expect.poll(() => new URL(page.url()).pathname).not.toBe('/docs/zh/get-started/quick-start')
  expect(problems).toEqual([])
})

it('fits a phone, with tables and images', async () => {
  const page = await console.anonymous({ locale: 'en-US', viewport: PHONE_390 })
  const problems = listenForProblems(page)
  for (const root of ['/docs/', '/docs/zh/'])
    for (const path of ['', 'concepts/request-lifecycle', 'compare', 'reference/api']) {
      await page.goto(root + path)
      await page.locator('#VPContent h1').first().waitFor()
      const excess = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect([root + path, excess]).toEqual([root + path, 0])
    }

  expect(problems).toEqual([])
})

/** Chooses the first result for a word. */
async function search(page: Page, button: string, word: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('searchbox').fill(word)
  const first = page.locator('.VPLocalSearchBox .result').first()
  await expect.poll(() => first.innerText()).toMatch(new RegExp(word, 'i'))
  await first.click()
}

/** Errors and warnings of the page, and requests to other servers. */
function listenForProblems(page: Page): string[] {
  const problems: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(console.site.server.url)
    if (!isOwn && !/^(?:data|blob):/.test(request.url())) problems.push(`request to ${request.url()}`)
  })
  return problems
}
