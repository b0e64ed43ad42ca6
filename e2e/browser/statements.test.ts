import { readFile } from 'node:fs/promises'
import { api } from '@tidegate/contract'
import { apiClient, SUPER_ADMIN } from '@tidegate/testing'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { visit, whereIs } from './console-page.ts'
import { makeCoupons } from './coupon-list.ts'
import { faultsOf, NONE } from './faults.ts'
import { startConsole } from './start-console.ts'
import { cellUnder, rowWith } from './table.ts'
import { addUser, openUsers } from './user-list.ts'

const console = startConsole({ provesBooks: true })
let mira: number
beforeAll(async () => {
  await addUser(console.site, 'mate', { role: 10 })
  mira = await addUser(console.site, 'mira', { quota: 2_000_000 })
  const client = apiClient(console.site.server.url)
  await client.login('mira', SUPER_ADMIN.password)
  const [key] = await makeCoupons(console.site, { quota: 500_000 })
  await client.call(api.redeem, { body: { key: key! } })
})

describe('the statement of a user', () => {
  it('opens from the row, says who acted and what was left, and leads back to the same list', async () => {
    const page = await console.captain()
    await openUsers(page, '?keyword=mira')
    await page.getByRole('link', { name: 'mira 的流水' }).click()

    await page.getByRole('heading', { level: 1, name: 'mira 的流水' }).waitFor()
    await expect.poll(() => textUnder(page, '管理员调整', '金额')).toBe('+$4.00')
    await expect.poll(() => textUnder(page, '管理员调整', '操作人')).toMatch(/^captain\s*#1$/)
    await expect.poll(() => textUnder(page, '兑换码', '变动后余额')).toBe('$5.00')
    await expect.poll(() => textUnder(page, '兑换码', '操作人')).toBe('—')

    await page.getByRole('link', { name: '返回用户管理' }).click()
    await expect.poll(() => whereIs(page)).toBe('/admin/users?keyword=mira')
  })

  it('is filtered by kind in the address, and saved as a file', async () => {
    const page = await console.captain()
    await visit(page, `/admin/users/${mira}/statement`)
    await page.getByRole('heading', { level: 1, name: 'mira 的流水' }).waitFor()
    await page.getByRole('combobox', { name: '类型' }).click()
    await page.locator('.ant-select-dropdown:visible').getByTitle('管理员调整').click()
    await rowWith(page, '兑换码').waitFor({ state: 'detached' })
    expect(whereIs(page)).toBe(`/admin/users/${mira}/statement?kind=admin_change`)

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '导出 CSV' }).click(),
    ])

    expect(file.suggestedFilename()).toMatch(new RegExp(`^statement-${mira}-\\d{4}-\\d\\d-\\d\\d\\.csv$`))
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(/,admin_change,2000000,4\.000000,.*,captain$/)
  })

  it('is refused for a higher rank and for nobody, in words', async () => {
    const page = await console.member({ username: 'mate', password: SUPER_ADMIN.password })
    await visit(page, '/admin/users/1/statement')
    const refusal = page.getByRole('alert')
    await expect.poll(() => refusal.innerText()).toMatch(/不能查看这个用户的流水\s+无权查看同级或更高级别的用户/)
    await expect.poll(() => page.getByRole('button', { name: '导出 CSV' }).count()).toBe(0)

    await visit(page, '/admin/users/99999/statement')
    await expect.poll(() => refusal.innerText()).toContain('没有 ID 为 99999 的用户')
    await visit(page, '/admin/users/nobody/statement')
    await expect.poll(() => refusal.innerText()).toContain('用户不存在')
  })

  it('of a deregistered user can still be read', async () => {
    const gone = await addUser(console.site, 'gone', { quota: 500_000 })
    await console.site.client.call(api.manageUser, { body: { id: gone, action: 'delete' } })
    const page = await console.captain()
    await openUsers(page, '?keyword=gone')

    await page.getByRole('link', { name: 'gone 的流水' }).click()

    await page.getByRole('heading', { level: 1, name: 'gone 的流水' }).waitFor()
    await expect.poll(() => textUnder(page, '管理员调整', '变动后余额')).toBe('$1.00')
  })
})

describe.each([
  { viewport: { width: 390, height: 844 }, colorScheme: 'light', locale: 'en-US' },
  { viewport: { width: 1440, height: 900 }, colorScheme: 'dark', locale: 'zh-CN' },
] as const)('at $viewport.width px, $colorScheme, $locale', (look) => {
  it('has no fault', async () => {
    const page = await console.captain(look)

    const found = await faultsOf(page, `/admin/users/${mira}/statement`, (shown) =>
      shown.getByText('captain').first().waitFor(),
    )

    expect(found).toEqual(NONE)
  })
})

const textUnder = async (page: Page, row: string, heading: string) =>
  (await (await cellUnder(rowWith(page, row), heading)).innerText()).trim()
