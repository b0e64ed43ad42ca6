import { api } from '@tidegate/contract'
import { SUPER_ADMIN } from '@tidegate/testing'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { PHONE } from './browser.ts'
import { untilLoaded } from './channel-list.ts'
import { consoleMenu, visit, whereIs } from './console-page.ts'
import { startConsole } from './start-console.ts'
import { rowWith } from './table.ts'
import { addUser } from './user-list.ts'

const console = startConsole()
let mate: number
let mira: number
beforeAll(async () => {
  const { client } = console.site
  mate = await addUser(console.site, 'mate', { role: 10 })
  mira = await addUser(console.site, 'mira', { quota: 1_000_000 })
  await client.call(api.manageUser, { body: { id: mira, action: 'promote' } })
  await client.call(api.manageUser, { body: { id: mira, action: 'demote' } })
  await client.call(api.updateOption, { body: { key: 'GroupRatio', value: '{"default":1,"vip":2}' } })
  await client.call(api.updateOption, { body: { key: 'GroupRatio', value: '{"default":1,"vip":1.5}' } })
})

async function openTrail(page: Page, query = ''): Promise<void> {
  await page.goto(`/admin/audit${query}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await untilLoaded(page)
}

async function unfold(row: Locator): Promise<void> {
  await row.getByRole('button').click()
}

describe('the audit trail', () => {
  it('tells who did what to whom, and opens to what changed', async () => {
    const page = await console.captain()
    await openTrail(page)
    const row = rowWith(page, '提升为管理员')
    await expect.poll(() => row.innerText()).toContain('captain')
    await expect.poll(() => row.innerText()).toContain('127.0.0.1')
    await row.getByRole('link', { name: `用户 #${mira}` }).waitFor()

    await unfold(row)

    const change = page.getByRole('row', { name: /^角色/ })
    await expect.poll(() => change.innerText()).toMatch(/普通用户\s+管理员/)
    await page.getByRole('button', { name: '复制请求编号' }).waitFor()
  })

  it('shows what changed inside an option, and leaves out what did not', async () => {
    const page = await console.captain()
    await openTrail(page, '?action=option.update&subject=GroupRatio')

    await unfold(rowWith(page, 'GroupRatio').first())

    await expect.poll(() => page.getByRole('row', { name: /^vip/ }).innerText()).toMatch(/2\s+1\.5/)
    await expect.poll(() => page.getByRole('row', { name: /^default/ }).count()).toBe(0)
  })

  it('is narrowed by person, area and time, in an address that shows the same to a colleague', async () => {
    const page = await console.captain()
    await openTrail(page)
    await page.getByRole('combobox', { name: '操作', exact: true }).click()
    await page.getByTitle('全部用户操作').click()
    await rowWith(page, '修改系统设置').first().waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: '操作者' }).fill('mat')
    await page.getByTitle(`mate #${mate}`).click()
    await page.getByText('没有符合条件的记录').waitFor()
    await expect.poll(() => whereIs(page)).toBe(`/admin/audit?action=user&actor=${mate}`)
    await page.getByRole('button', { name: '重置' }).click()
    await rowWith(page, '修改系统设置').first().waitFor()
    await expect.poll(() => whereIs(page)).toBe('/admin/audit')

    const colleague = await console.captain()
    await openTrail(colleague, `?subject=${mira}&action=user.demote&start=1700000000`)
    await expect.poll(() => colleague.locator('tbody tr.ant-table-row').count()).toBe(1)
    await openTrail(colleague, '?end=1700000000')
    await colleague.getByText('没有符合条件的记录').waitFor()
  })

  it('turns its pages', async () => {
    for (let number = 0; number < 12; number += 1)
      await console.site.client.call(api.updateOption, { body: { key: 'Footer', value: `footer ${number}` } })
    const page = await console.captain()
    await openTrail(page, '?subject=Footer')
    await page.getByText('第 1–10 条，共 12 条').waitFor()

    await page.getByRole('listitem', { name: '2', exact: true }).click()

    await page.getByText('第 11–12 条，共 12 条').waitFor()
    await expect.poll(() => page.locator('tbody tr.ant-table-row').count()).toBe(2)
  })

  it('is cards on a phone, in English too', async () => {
    const page = await console.captain({ viewport: PHONE, locale: 'en-US' })
    await openTrail(page, '?action=user.promote')
    const card = page.getByRole('listitem').filter({ hasText: 'Made an admin' })
    await expect.poll(() => card.innerText()).toContain(`User #${mira}`)

    await card.getByRole('button', { name: 'Show details' }).click()

    await expect.poll(() => card.innerText()).toMatch(/Role\s+User\s+Admin/)
  })
})

describe('the place of the audit trail', () => {
  it('is in the menu of the super admin', async () => {
    const page = await console.captain()
    await visit(page, '/app/tokens')

    await consoleMenu(page).getByRole('link', { name: '审计日志' }).click()

    await page.waitForURL('**/admin/audit')
  })

  it('is neither offered to an administrator nor open to one', async () => {
    const page = await console.member({ username: 'mate', password: SUPER_ADMIN.password })
    await visit(page, '/app/tokens')
    await consoleMenu(page).getByRole('link', { name: '用户管理' }).waitFor()

    await expect.poll(() => consoleMenu(page).getByRole('link', { name: '审计日志' }).count()).toBe(0)
    expect(await visit(page, '/admin/audit')).toBe('/')
  })
})
