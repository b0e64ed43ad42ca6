import { addToken, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { visit, whereIs } from './console-page.ts'
import { chat, furnishWithCalls, ODD_MODEL, PLAIN_MODEL, spentBy } from './dashboard-site.ts'
import { faultsOf, NONE } from './faults.ts'
import { addOrdinaryUser } from './site.ts'
import { startConsole } from './start-console.ts'
import { exactQuota } from './table.ts'

const PHONE = { width: 390, height: 844 }

const console = startConsole()
let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await fakeUpstream()
  await furnishWithCalls(console.site, upstream)
})
afterAll(() => upstream?.close())

describe('the dashboard of an administrator', () => {
  it('shows what the whole site used, to the last quota, and then what one user did', async () => {
    const page = await console.captain()
    await visit(page, '/app/dashboard')
    await expect.poll(() => cardOf(page, '请求次数').innerText()).toContain('7')
    const spent = await spentBy(console.site)
    expect(await exactQuota(cardOf(page, '花费').locator('.number'))).toBe(spent.quota)
    const models = page.getByRole('list', { name: '模型排行' }).getByRole('listitem')
    await expect.poll(() => models.count()).toBe(2)
    expect(await models.nth(0).innerText()).toContain(PLAIN_MODEL)

    await page.getByRole('link', { name: '查看 mira 的用量' }).click()

    await expect.poll(() => whereIs(page)).toBe('/app/dashboard?of=user&username=mira')
    await expect.poll(() => cardOf(page, '请求次数').innerText()).toContain('2')
    const theirs = await spentBy(console.site, 'mira')
    expect(await exactQuota(cardOf(page, '花费').locator('.number'))).toBe(theirs.quota)
    await expect.poll(() => models.count()).toBe(1)
    await models.getByRole('link', { name: ODD_MODEL }).click()
    await expect.poll(() => whereIs(page)).toBe(`/pricing/${encodeURIComponent(ODD_MODEL)}`)
  })

  it('keeps range, step and scope in the address, and tells in a table what a chart shows', async () => {
    const page = await console.captain()
    await visit(page, '/app/dashboard')
    await page.getByText('7 天', { exact: true }).click()
    await expect.poll(() => whereIs(page)).toBe('/app/dashboard?range=week')
    await page.getByText('按小时', { exact: true }).click()
    await expect.poll(() => whereIs(page)).toBe('/app/dashboard?range=week&step=hour')
    await page.getByText('我的', { exact: true }).click()
    await expect.poll(() => whereIs(page)).toBe('/app/dashboard?range=week&step=hour&of=self')
    await expect.poll(() => cardOf(page, '请求次数').innerText()).toContain('5')
    await page.goBack()
    await page.goBack()
    await expect.poll(() => whereIs(page)).toBe('/app/dashboard?range=week')

    await page.getByRole('button', { name: '以表格查看“请求趋势”' }).click()

    const rows = page.getByRole('region', { name: '请求趋势' }).getByRole('row')
    await expect.poll(() => rows.count()).toBe(9) // a head, and eight days, the first and the last in part
    await expect.poll(() => rows.nth(1).innerText()).toMatch(/^\d\d-\d\d\t7\t5\t2$/)
  })

  it('follows what goes on right now', async () => {
    const { secret } = await addToken(console.site.client)
    const page = await console.captain()
    await visit(page, '/app/dashboard')
    const live = page.getByRole('region', { name: '实时', exact: true })
    await live.getByText('实时更新').waitFor()
    await live.getByText('1 个节点').waitFor()
    const answered = upstream.requests.length

    await expect
      .poll(async () => {
        await chat(console.site, secret, PLAIN_MODEL)
        return live.locator('dd').first().innerText()
      })
      .toMatch(/[1-9]/)

    expect(upstream.requests.length).toBeGreaterThan(answered)
    await live
      .getByText(/^\d+ ms$/)
      .first()
      .waitFor()
  })

  it('begins with the step that the site wishes, and says so when it is switched off', async () => {
    await console.setOption('DataExportDefaultTime', 'week')
    const page = await console.captain()
    await visit(page, '/app/dashboard')
    await expect.poll(() => page.getByRole('radio', { name: '30 天' }).isChecked()).toBe(true)
    await expect.poll(() => page.getByRole('radio', { name: '按周' }).isChecked()).toBe(true)

    await console.setOption('DataExportEnabled', 'false')
    await visit(page, '/app/dashboard')

    await page.getByText('数据看板已关闭').waitFor()
    await page.getByRole('button', { name: '前往设置' }).waitFor()
  })
})

it('an ordinary user sees nothing but their own, on a phone and in English', async () => {
  const newcomer = await addOrdinaryUser(console.site, 'newcomer')
  const page = await console.member(newcomer, { viewport: PHONE, locale: 'en-US' })
  await visit(page, '/app/dashboard?of=site')
  await page.getByText('No use in this time').waitFor()
  expect(await page.getByText('Whole site').count()).toBe(0)
  expect(await page.getByText('Right now').count()).toBe(0)

  await page.getByRole('button', { name: 'See my tokens' }).click()

  await expect.poll(() => whereIs(page)).toBe('/app/tokens')
})

it.each([
  { width: 390, colorScheme: 'dark', locale: 'zh-CN' },
  { width: 1440, colorScheme: 'light', locale: 'en-US' },
] as const)('it has no fault at $width px, $colorScheme, $locale', async ({ width, ...preferences }) => {
  const page = await console.captain({ viewport: { width, height: 900 }, ...preferences })
  const untilLive = (shown: Page) => shown.getByText(/实时更新|^Live$/).waitFor()
  const openTable = (shown: Page) =>
    shown
      .getByRole('button', { name: /以表格查看|as a table/ })
      .first()
      .click()

  expect(await faultsOf(page, '/app/dashboard', untilLive)).toEqual(NONE)
  expect(await faultsOf(page, '/app/dashboard?of=self&range=custom&step=hour', openTable)).toEqual(NONE)
})

const cardOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
