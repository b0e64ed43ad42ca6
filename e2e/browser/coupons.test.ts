import { readFile } from 'node:fs/promises'
import { api } from '@tidegate/contract'
import { apiClient, SUPER_ADMIN } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { PHONE } from './browser.ts'
import { chooseFrom, toastWith } from './channel-list.ts'
import { storedItems, whereIs } from './console-page.ts'
import { makeCoupons, openCoupons, storedCoupons } from './coupon-list.ts'
import { startConsole } from './start-console.ts'
import { cellUnder, rowWith } from './table.ts'
import { addUser, answer, drawerOf, queriesTo } from './user-list.ts'

const console = startConsole({ provesBooks: true })
const make = (fields: Partial<api.NewRedemptions>) => makeCoupons(console.site, fields)

beforeEach(async () => {
  await sql`delete from redemption_use`.execute(console.site.db)
  await sql`delete from redemption`.execute(console.site.db)
})

describe('making codes', () => {
  it('names them after their worth, and hands the keys out as text and as a file', async () => {
    const page = await copyingCaptain()
    await openCoupons(page)
    await page.getByRole('button', { name: '添加兑换码' }).first().click()
    const drawer = drawerOf(page)
    await drawer.getByRole('button', { name: '$10', exact: true }).click()
    await drawer.getByText('相当于 $10.00').waitFor()
    await drawer.getByLabel('生成数量').fill('3')
    await drawer.getByText('最多发放 $30.00（15,000,000 额度）').waitFor()

    await drawer.getByRole('button', { name: '生成' }).click()

    const dialog = page.getByRole('dialog').filter({ hasText: '已生成 3 个兑换码' })
    await dialog.waitFor()
    const keys = (await storedCoupons(console.site)).map(({ key }) => key)
    const text = async () => (await clipboard(page)).split('\n').sort()
    await dialog.getByRole('button', { name: '全部复制' }).click()
    await expect.poll(text).toEqual(keys.toSorted())
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: '下载文本文件' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('$10.00.txt')
    expect((await readFile(await file.path(), 'utf8')).trim().split('\n').sort()).toEqual(keys.toSorted())
    await dialog.getByRole('button', { name: '关闭', exact: true }).last().click()
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => whereIs(page)).toBe('/admin/coupons')
    await expect.poll(() => rowWith(page, '$10.00').count()).toBe(3)
    expect(await storedCoupons(console.site)).toMatchObject([
      { name: '$10.00', quota: 5_000_000, is_gift: false },
      {},
      {},
    ])
  })

  it('makes one gift with a key of its own, for as many as wished', async () => {
    const page = await console.captain()
    await openCoupons(page, '?drawer=create')
    const drawer = drawerOf(page)
    await drawer.getByLabel('名称').fill('Welcome')
    await drawer.getByRole('switch', { name: '礼品码' }).click()
    await drawer.getByText('不限次数的礼品码没有总额上限').waitFor()
    await drawer.getByLabel('最多使用次数').fill('2')
    await drawer.getByLabel('生成数量').fill('50')
    await drawer.getByLabel('自定义兑换码').fill('  WELCOME-2026 ')
    await drawer.getByText('自定义兑换码一次只能生成一个').waitFor()

    await drawer.getByRole('button', { name: '生成' }).click()

    await page.getByRole('dialog').filter({ hasText: '已生成 1 个兑换码' }).waitFor()
    await expect.poll(() => textUnder(page, 'Welcome', '使用情况')).toBe('0 / 2 次')
    expect(await storedCoupons(console.site)).toMatchObject([
      { name: 'Welcome', key: 'WELCOME-2026', quota: 100_000, is_gift: true, max_uses: 2 },
    ])
  })

  it('refuses a window that ends before it begins, and numbers out of range', async () => {
    const page = await console.captain()
    await openCoupons(page, '?drawer=create')
    const drawer = drawerOf(page)
    await pick(drawer.getByLabel('生效时间'), '2030-05-02 00:00:00')
    await pick(drawer.getByLabel('过期时间'), '2030-05-01 00:00:00')
    await drawer.getByLabel('生成数量').fill('101')
    await drawer.getByLabel('额度', { exact: true }).fill('0')

    await drawer.getByRole('button', { name: '生成' }).click()

    await drawer.getByText('生效时间必须早于过期时间').waitFor()
    await drawer.getByText('一次可生成 1 到 100 个').waitFor()
    await drawer.getByText('额度必须是正整数').waitFor()
    expect(await storedCoupons(console.site)).toEqual([])
  })
})

describe('the list', () => {
  it('turns its pages from 1, remembers their size and is found by name, in the address', async () => {
    await make({ name: 'Autumn' })
    await make({ name: 'Spring', count: 11 })
    const page = await console.captain()
    const lists = queriesTo(page, '/api/redemption')
    await openCoupons(page)
    await page.getByText('第 1–10 条，共 12 条').waitFor()
    await page.getByRole('listitem', { name: '2', exact: true }).click()
    await rowWith(page, 'Autumn').waitFor()
    expect(lists).toEqual(['?p=1&page_size=10', '?p=2&page_size=10'])

    await page.getByRole('textbox', { name: '名称、ID 或兑换码' }).fill('Spr')
    await rowWith(page, 'Autumn').waitFor({ state: 'detached' })
    await expect.poll(() => whereIs(page)).toBe('/admin/coupons?keyword=Spr')
    await page.getByRole('combobox', { name: '每页条数' }).click()
    await page.locator('.ant-select-dropdown:visible').getByTitle('20 条/页').click()
    await expect.poll(() => rowWith(page, 'Spring').count()).toBe(11)
    await expect.poll(() => storedItems(page)).toMatchObject({ 'page-size': '20' })
    await page.getByRole('button', { name: '重置' }).click()
    await rowWith(page, 'Autumn').waitFor()
  })

  it('says what became of each code', async () => {
    const [used] = await make({ name: 'Used' })
    const [shared] = await make({ name: 'Shared', is_gift: true, max_uses: 2 })
    const [last] = await make({ name: 'Last', is_gift: true, max_uses: 1 })
    await make({ name: 'Later', valid_from: 4_000_000_000 })
    await make({ name: 'Past', valid_until: 1_700_000_000 })
    const id = await addUser(console.site, 'redeemer')
    const redeemer = apiClient(console.site.server.url)
    await redeemer.login('redeemer', SUPER_ADMIN.password)
    for (const key of [used, shared, last]) await redeemer.call(api.redeem, { body: { key: key! } })
    const page = await console.captain()

    await openCoupons(page)

    await expect.poll(() => textUnder(page, 'Used', '状态')).toBe('已使用')
    await expect.poll(() => textUnder(page, 'Used', '使用情况')).toContain(`用户 #${id}`)
    await expect.poll(() => textUnder(page, 'Shared', '状态')).toMatch(/可兑换\s+礼品码/)
    await expect.poll(() => textUnder(page, 'Shared', '使用情况')).toContain('1 / 2 次')
    await expect.poll(() => textUnder(page, 'Last', '状态')).toMatch(/已兑完\s+礼品码/)
    await expect.poll(() => textUnder(page, 'Later', '状态')).toBe('未生效')
    await expect.poll(() => textUnder(page, 'Past', '状态')).toBe('已过期')
    await expect.poll(() => page.getByRole('button', { name: /^启用 Used/ }).isDisabled()).toBe(true)
    await expect.poll(() => rowWith(page, 'Used').getAttribute('class')).toContain('faded')
    await expect.poll(() => rowWith(page, 'Shared').getAttribute('class')).not.toContain('faded')
  })
})

describe('a row', () => {
  it('is copied, edited, disabled, enabled and deleted', async () => {
    const [key] = await make({ name: 'Spring' })
    const page = await copyingCaptain()
    await openCoupons(page)
    await page.getByRole('button', { name: /^复制 Spring/ }).click()
    await expect.poll(() => clipboard(page)).toBe(key)

    await page.getByRole('button', { name: /^编辑 Spring/ }).click()
    const drawer = drawerOf(page)
    await drawer.getByLabel('名称').fill('Summer')
    await drawer.getByLabel('额度', { exact: true }).fill('500000')
    await pick(drawer.getByLabel('过期时间'), '2033-05-18 11:33:20')
    await drawer.getByRole('button', { name: '保存' }).click()
    await toastWith(page, '兑换码更新成功！').waitFor()
    await expect.poll(() => textUnder(page, 'Summer', '额度')).toContain('$1.00')
    await expect.poll(() => textUnder(page, 'Summer', '有效期')).toBe('至 2033-05-18 11:33:20')

    await page.getByRole('button', { name: /^禁用 Summer/ }).click()
    await expect.poll(() => textUnder(page, 'Summer', '状态')).toBe('已禁用')
    await page.getByRole('button', { name: /^启用 Summer/ }).click()
    await expect.poll(() => textUnder(page, 'Summer', '状态')).toBe('未使用')

    await page.getByRole('button', { name: /^删除 Summer/ }).click()
    await page.getByText('这个兑换码价值 $1.00').waitFor()
    await answer(page, '删除')
    await page.getByText('还没有兑换码').waitFor()
    expect(await storedCoupons(console.site)).toEqual([])
  })

  it('is told in the words of the server when somebody was faster', async () => {
    await make({ name: 'Spring' })
    const page = await console.captain()
    await openCoupons(page)
    await rowWith(page, 'Spring').waitFor()
    await sql`update redemption set status = 3`.execute(console.site.db)

    await page.getByRole('button', { name: /^禁用 Spring/ }).click()

    await toastWith(page, '该兑换码已被使用').waitFor()
    await expect.poll(() => textUnder(page, 'Spring', '状态')).toBe('已使用')
  })
})

describe('many at once', () => {
  it('are copied and disabled across pages, once some are selected', async () => {
    const keys = await make({ name: 'Spring', count: 12 })
    const page = await copyingCaptain()
    await openCoupons(page)
    await rowWith(page, 'Spring').first().waitFor()
    await page.getByRole('button', { name: '批量选择' }).click()
    await page.getByRole('button', { name: '复制所选' }).click()
    await toastWith(page, '请至少选择一个兑换码！').waitFor()

    await page.getByRole('button', { name: '选择本页全部' }).click()
    await page.getByRole('listitem', { name: '2', exact: true }).click()
    await expect.poll(() => rowWith(page, 'Spring').count()).toBe(2)
    await page.getByRole('button', { name: '选择本页全部' }).click()
    await page.getByText('已选 12 项').waitFor()
    await page.getByRole('button', { name: '复制所选' }).click()
    const lines = async () => (await clipboard(page)).split('\n').sort()
    await expect.poll(lines).toEqual(keys.map((key) => `Spring    ${key}`).sort())

    await page.getByRole('button', { name: '禁用所选' }).click()
    await page.locator('.ant-modal-confirm-title').filter({ hasText: '禁用所选的 12 个兑换码？' }).waitFor()
    await answer(page, '禁用')
    await toastWith(page, '已禁用 12 个兑换码').waitFor()
    expect((await storedCoupons(console.site)).map(({ status }) => status)).toEqual(keys.map(() => 2))
  })

  it('are deleted by name, after it was said how many there are', async () => {
    await make({ name: 'Spring', count: 4 })
    await make({ name: 'Springtime' })
    const page = await console.captain()
    await openCoupons(page)
    await chooseFrom(page.getByRole('button', { name: '清理' }), '按名称删除')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('名称').fill('Nothing')
    await page.keyboard.press('Enter')
    await dialog.getByText('没有名为“Nothing”的兑换码').waitFor()

    await dialog.getByLabel('名称').fill('Spring')
    await page.keyboard.press('Enter')
    await dialog.getByText('名为“Spring”的兑换码共 4 个').waitFor()
    expect(await storedCoupons(console.site)).toHaveLength(5)
    await dialog.getByRole('button', { name: '删除这 4 个' }).click()

    await toastWith(page, '已删除 4 个名为“Spring”的兑换码').waitFor()
    expect((await storedCoupons(console.site)).map(({ name }) => name)).toEqual(['Springtime'])
  })

  it('are deleted when disabled, and it is said how many went', async () => {
    await make({ name: 'Spring', count: 3 })
    await sql`update redemption set status = 2 where id in (select id from redemption limit 2)`.execute(console.site.db)
    const page = await console.captain()
    await openCoupons(page)

    await chooseFrom(page.getByRole('button', { name: '清理' }), '删除所有已禁用的兑换码')
    await answer(page, '删除')

    await toastWith(page, '已删除 2 个已禁用的兑换码').waitFor()
    await expect.poll(() => rowWith(page, 'Spring').count()).toBe(1)
  })
})

describe('on a phone, in English', () => {
  it('each code is a card, and new ones are made in a drawer', async () => {
    const page = await console.captain({ viewport: PHONE, locale: 'en-US' })
    await openCoupons(page)
    await page.getByRole('button', { name: 'Add codes' }).first().click()
    await drawerOf(page).getByLabel('Name').fill('Harbour')
    await drawerOf(page).getByRole('button', { name: 'Create' }).click()
    const made = page.getByRole('dialog').filter({ hasText: 'Redemption codes created: 1' })
    await made.getByRole('button', { name: 'Close', exact: true }).last().click()

    const card = page.getByRole('listitem').filter({ hasText: 'Harbour' }).filter({ hasText: '$0.20' })
    await card.waitFor()
    await expect.poll(() => page.getByRole('table').count()).toBe(0)
    await card.getByRole('button', { name: /^Disable Harbour/ }).click()

    await toastWith(page, 'Operation completed successfully!').waitFor()
    await expect.poll(() => card.innerText()).toContain('Disabled')
  })
})

async function copyingCaptain(): Promise<Page> {
  const page = await console.captain()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  return page
}

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

const textUnder = async (page: Page, name: string, heading: string) =>
  (await cellUnder(rowWith(page, name), heading)).innerText()

/** Types a time into a field that also has a calendar. */
async function pick(field: Locator, time: string): Promise<void> {
  await field.fill(time)
  await field.press('Enter')
}
