import { fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { visit, whereIs } from './console-page.ts'
import { furnishWithCalls, ODD_MODEL, PLAIN_MODEL } from './dashboard-site.ts'
import { faultsOf, NONE } from './faults.ts'
import { startConsole } from './start-console.ts'
import { cellUnder, rowWith } from './table.ts'

const PHONE = { width: 390, height: 844 }
const ODD_PATH = `/pricing/${encodeURIComponent(ODD_MODEL)}`

const console = startConsole()
let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await fakeUpstream()
  await furnishWithCalls(console.site, upstream)
})
afterAll(() => upstream?.close())

describe('the price list', () => {
  it('shows a visitor what a million tokens cost, and finds models by what the address says', async () => {
    const page = await console.visitor()
    await visit(page, '/pricing')
    const row = rowWith(page, PLAIN_MODEL)
    expect(await textUnder(page, PLAIN_MODEL, '输入')).toBe('$2.500')
    expect(await textUnder(page, PLAIN_MODEL, '输出')).toBe('$10.000')
    expect(await textUnder(page, ODD_MODEL, '输入')).toBe('$1.500')

    await page.getByText('倍率', { exact: true }).click()
    await expect.poll(() => whereIs(page)).toBe('/pricing?unit=ratio')
    expect(await textUnder(page, PLAIN_MODEL, '模型倍率')).toBe('1.25')
    await page.getByRole('textbox', { name: '搜索模型或厂商' }).fill('vendor')
    await row.waitFor({ state: 'detached' })
    await expect.poll(() => whereIs(page)).toBe('/pricing?unit=ratio&keyword=vendor')
    await page.getByRole('textbox', { name: '搜索模型或厂商' }).fill('no such thing')

    await page.getByText('没有符合条件的模型').waitFor()
    await page.getByRole('button', { name: '清除筛选' }).click()
    await row.waitFor()
    await visit(page, '/pricing?group=vip')
    expect(await textUnder(page, PLAIN_MODEL, '输入')).toBe('$1.250')
    expect(await textUnder(page, PLAIN_MODEL, '可用分组')).toMatch(/^vip ×0\.5\s+default ×1$/)
  })
})

describe('the page of a model', () => {
  it('leads from the list to prices, measured figures and code, whatever the name', async () => {
    const page = await console.captain()
    await visit(page, '/pricing')
    await page.getByRole('link', { name: ODD_MODEL }).click()
    await page.getByRole('heading', { level: 1, name: ODD_MODEL }).waitFor()
    expect(whereIs(page)).toBe(ODD_PATH)

    await page.reload()

    await page.getByRole('heading', { level: 1, name: ODD_MODEL }).waitFor()
    const vip = page.getByRole('row').filter({ hasText: 'vip' })
    await expect.poll(() => vip.innerText()).toMatch(/× 0\.5\s+\$0\.750/)
    const measured = page.getByRole('region', { name: '本站实测' })
    await expect.poll(() => measured.innerText()).toMatch(/可用率\s+100%/)
    expect(await measured.innerText()).toMatch(/调用次数\s+2/)
    const example = page.getByRole('region', { name: '调用示例' })
    expect(await example.innerText()).toContain(`"model": "${ODD_MODEL}"`)
    await example.getByRole('tab', { name: 'Anthropic' }).click()
    await expect.poll(() => example.innerText()).toContain(`baseURL: "${console.site.server.url}"`)
    await example.getByRole('button', { name: '创建令牌' }).click()
    await expect.poll(() => whereIs(page)).toBe('/app/tokens?drawer=create')
  })

  it('says when there is none, and leads back, on a phone and in English', async () => {
    const page = await console.visitor({ viewport: PHONE, locale: 'en-US' })
    await visit(page, '/pricing/nothing%2Fhere')
    await page.getByRole('heading', { level: 1, name: 'There is no such model' }).waitFor()

    await page.getByRole('button', { name: 'See all models' }).click()

    await expect.poll(() => whereIs(page)).toBe('/pricing')
    await page.getByRole('list', { name: 'Models' }).getByRole('link', { name: PLAIN_MODEL }).waitFor()
  })
})

it.each([
  { width: 390, colorScheme: 'light', locale: 'en-US' },
  { width: 1440, colorScheme: 'dark', locale: 'zh-CN' },
] as const)('they have no fault at $width px, $colorScheme, $locale', async ({ width, ...preferences }) => {
  const page = await console.visitor({ viewport: { width, height: 900 }, ...preferences })

  expect(await faultsOf(page, '/pricing')).toEqual(NONE)
  expect(await faultsOf(page, ODD_PATH)).toEqual(NONE)
})

const textUnder = async (page: Page, model: string, heading: string) =>
  (await cellUnder(rowWith(page, model), heading)).innerText()
