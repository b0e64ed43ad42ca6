import { api } from '@tidegate/contract'
import { addToken, apiClient, SUPER_ADMIN } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { PHONE } from './browser.ts'
import { chooseFrom, toastWith } from './channel-list.ts'
import { storedItems, whereIs } from './console-page.ts'
import { startConsole } from './start-console.ts'
import { cellUnder, rowWith } from './table.ts'
import { addUser, answer, openUsers, queriesTo, storedUser } from './user-list.ts'

const console = startConsole()
const add = (...given: Parameters<typeof addUser> extends [unknown, ...infer Rest] ? Rest : never) =>
  addUser(console.site, ...given)
const { password } = SUPER_ADMIN

const textUnder = async (page: Page, name: string, heading: string) =>
  (await cellUnder(rowWith(page, name), heading)).innerText()
const moreOf = (page: Page, name: string) => page.getByRole('button', { name: `${name} 的更多操作` })

describe('a list of many', () => {
  beforeAll(async () => {
    for (let number = 1; number <= 12; number += 1) await add(`sailor-${String(number).padStart(2, '0')}`)
    await sql`update "user" set "group" = 'vip' where username like 'sailor-0%'`.execute(console.site.db)
  })

  it('turns its pages, which the list counts from 0 and a search from 1', async () => {
    const page = await console.captain()
    const lists = queriesTo(page, '/api/user')
    const searches = queriesTo(page, '/api/user/search')
    await openUsers(page)
    await rowWith(page, 'sailor-12').waitFor()

    await page.getByRole('listitem', { name: '2', exact: true }).click()
    await rowWith(page, 'sailor-01').waitFor()
    await openUsers(page, '?keyword=sailor')
    await page.getByText('第 1–10 条，共 12 条').waitFor()
    await page.getByRole('listitem', { name: '2', exact: true }).click()
    await rowWith(page, 'sailor-02').waitFor()

    expect(lists).toEqual(['?p=0&page_size=10', '?p=1&page_size=10'])
    expect(searches).toEqual(['?keyword=sailor&p=1&page_size=10', '?keyword=sailor&p=2&page_size=10'])
    await expect.poll(() => whereIs(page)).toBe('/admin/users?keyword=sailor&page=2')
  })

  it('remembers how many rows a page has', async () => {
    const page = await console.captain()
    await openUsers(page)

    await page.getByRole('combobox', { name: '每页条数' }).click()
    await page.locator('.ant-select-dropdown:visible').getByTitle('20 条/页').click()

    await rowWith(page, 'sailor-01').waitFor()
    await expect.poll(() => storedItems(page)).toMatchObject({ 'page-size': '20' })
  })

  it('is narrowed by keyword and group, in an address that shows the same to a colleague', async () => {
    const page = await console.captain()
    await openUsers(page)
    await page.getByRole('textbox', { name: 'ID、用户名、邮箱或显示名称' }).fill('sailor-1')
    await page.keyboard.press('Enter')
    await rowWith(page, 'sailor-09').waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: 'ID、用户名、邮箱或显示名称' }).fill('sailor')
    await page.getByRole('combobox', { name: '分组' }).click()
    await page.locator('.ant-select-dropdown:visible').getByTitle('vip', { exact: true }).click()
    await rowWith(page, 'sailor-09').waitFor()
    await rowWith(page, 'sailor-12').waitFor({ state: 'detached' })
    await expect.poll(() => whereIs(page)).toBe('/admin/users?keyword=sailor&group=vip')

    const colleague = await console.captain()
    await openUsers(colleague, '?keyword=sailor&group=vip')
    await rowWith(colleague, 'sailor-01').waitFor()
    await colleague.getByRole('button', { name: '重置' }).click()
    await rowWith(colleague, 'sailor-12').waitFor()
    await expect.poll(() => whereIs(colleague)).toBe('/admin/users')
  })
})

describe('the super admin', () => {
  it('promotes and demotes', async () => {
    await add('jonas')
    const page = await console.captain()
    await openUsers(page, '?keyword=jonas')

    await chooseFrom(moreOf(page, 'jonas'), '提升为管理员')
    await answer(page, '提升')
    await toastWith(page, '操作成功完成！').waitFor()
    await expect.poll(() => textUnder(page, 'jonas', '角色')).toBe('管理员')
    expect(await storedUser(console.site, 'jonas')).toMatchObject({ role: 10 })

    await chooseFrom(moreOf(page, 'jonas'), '降为普通用户')
    await answer(page, '降级')
    await expect.poll(() => textUnder(page, 'jonas', '角色')).toBe('普通用户')
    expect(await storedUser(console.site, 'jonas')).toMatchObject({ role: 1 })
  })

  it('disables after a yes, which logs the user out, and enables again', async () => {
    await add('anton')
    const anton = apiClient(console.site.server.url)
    await anton.login('anton', password)
    const page = await console.captain()
    await openUsers(page, '?keyword=anton')

    await page.getByRole('button', { name: '禁用 anton' }).click()
    await answer(page, '取消')
    await page.locator('.ant-modal-confirm').waitFor({ state: 'detached' })
    expect(await storedUser(console.site, 'anton')).toMatchObject({ status: 1 })

    await page.getByRole('button', { name: '禁用 anton' }).click()
    await answer(page, '禁用')
    await expect.poll(() => textUnder(page, 'anton', '状态')).toBe('已封禁')
    expect((await anton.send(api.getSelf)).response.status).toBe(401)

    await page.getByRole('button', { name: '启用 anton' }).click()
    await expect.poll(() => textUnder(page, 'anton', '状态')).toBe('已激活')
    expect(await storedUser(console.site, 'anton')).toMatchObject({ status: 1 })
  })

  it('deregisters, which ends the tokens, and restores without them', async () => {
    await add('greta')
    const greta = apiClient(console.site.server.url)
    await greta.login('greta', password)
    const { secret } = await addToken(greta)
    const page = await console.captain()
    await openUsers(page, '?keyword=greta')

    await chooseFrom(moreOf(page, 'greta'), '注销')
    await page.getByText('全部 API 令牌立即作废').waitFor()
    await answer(page, '注销')
    await expect.poll(() => textUnder(page, 'greta', '状态')).toBe('已注销')
    expect(await modelsStatus(secret)).toBe(401)
    await expect.poll(() => rowWith(page, 'greta').getByRole('button').count()).toBe(1)

    await page.getByRole('button', { name: '恢复 greta' }).click()
    await answer(page, '恢复')
    await expect.poll(() => textUnder(page, 'greta', '状态')).toBe('已激活')
    expect(await modelsStatus(secret)).toBe(401)
    await greta.login('greta', password)
  })

  it('resets second factors, once it is proved who asks', async () => {
    const id = await add('lotte')
    await sql`
      insert into passkey (user_id, credential_id, public_key, name) values (${id}, 'a-credential', 'a-key', 'phone')
    `.execute(console.site.db)
    await sql`update session set proved_at = now() - interval '1 hour'`.execute(console.site.db)
    const page = await console.captain()
    await openUsers(page, '?keyword=lotte')

    await chooseFrom(moreOf(page, 'lotte'), '重置二次验证')
    await answer(page, '重置')
    await page.getByRole('dialog').getByLabel('密码', { exact: true }).fill(password)
    await page.keyboard.press('Enter')

    await toastWith(page, '操作成功完成！').waitFor()
    const { rows } = await sql`select 1 from passkey where user_id = ${id}`.execute(console.site.db)
    expect(rows).toEqual([])
  })

  it('is told in the words of the server when somebody else was faster', async () => {
    const id = await add('hanna')
    const page = await console.captain()
    await openUsers(page, '?keyword=hanna')
    await rowWith(page, 'hanna').waitFor()
    await console.site.client.call(api.manageUser, { body: { id, action: 'delete' } })

    await page.getByRole('button', { name: '禁用 hanna' }).click()
    await answer(page, '禁用')

    await toastWith(page, '该用户已注销，请先恢复').waitFor()
  })
})

describe('an administrator', () => {
  beforeAll(async () => {
    await add('mate', { role: 10 })
    await add('deckhand', { quota: 1_000_000 })
  })

  const mate = () => console.member({ username: 'mate', password })

  it('is offered nothing that the rank does not allow', async () => {
    const page = await mate()
    await openUsers(page, '?size=50')

    await rowWith(page, 'deckhand').waitFor()
    await expect.poll(() => rowWith(page, 'captain').getByRole('button').count()).toBe(0)
    await expect.poll(() => rowWith(page, 'mate').getByRole('button').count()).toBe(0)
    await moreOf(page, 'deckhand').click()
    await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(['重置二次验证', '注销'])
  })

  it('is refused the super admin, even by address', async () => {
    const page = await mate()

    await page.goto('/user/edit/1')

    await page.getByText('无权查看同级或更高级别的用户').waitFor()
    await expect.poll(() => whereIs(page)).toBe('/admin/users?drawer=edit&id=1')
  })

  it('cannot make a debt', async () => {
    const { id } = (await storedUser(console.site, 'deckhand'))!
    const page = await mate()
    await openUsers(page, `?drawer=edit&id=${id}`)

    await page.getByRole('button', { name: '增减额度' }).click()
    await page.getByLabel('变动的额度').fill('-1000001')

    await page.getByText('余额不能低于 0，只有超级管理员可以设为负数').waitFor()
    await expect.poll(() => page.getByRole('button', { name: '填入表单' }).isDisabled()).toBe(true)
  })
})

describe('on a phone, in English', () => {
  it('each user is a card with its actions', async () => {
    await add('pilot', { quota: 750_000 })
    const page = await console.captain({ viewport: PHONE, locale: 'en-US' })
    await openUsers(page, '?keyword=pilot')

    const card = page.getByRole('listitem').filter({ hasText: 'pilot' })
    await expect.poll(() => card.innerText()).toContain('$1.50')
    await expect.poll(() => page.getByRole('table').count()).toBe(0)
    await card.getByRole('button', { name: 'Disable pilot' }).click()
    await answer(page, 'Disable')

    await toastWith(page, 'Done!').waitFor()
    await expect.poll(() => card.innerText()).toContain('Banned')
  })
})

/** What the data plane says to a token. */
async function modelsStatus(secret: string): Promise<number> {
  const response = await fetch(`${console.site.server.url}/v1/models`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  await response.text()
  return response.status
}
