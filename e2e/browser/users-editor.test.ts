import { api } from '@tidegate/contract'
import { addChannel, addToken, apiClient, fakeUpstream, type FakeUpstream, SUPER_ADMIN } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toastWith } from './channel-list.ts'
import { whereIs } from './console-page.ts'
import { startConsole } from './start-console.ts'
import { rowWith } from './table.ts'
import { addUser, drawerOf, openUsers, storedUser } from './user-list.ts'

const console = startConsole()
const client = () => apiClient(console.site.server.url)
let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await fakeUpstream()
})
afterAll(() => upstream?.close())

describe('adding a user', () => {
  it('refuses blanks and taken names in words, then makes a user who can log in', async () => {
    await addUser(console.site, 'taken')
    const page = await console.captain()
    await page.goto('/user/edit')
    await expect.poll(() => whereIs(page)).toBe('/admin/users?drawer=create')
    const drawer = drawerOf(page)
    await drawer.getByRole('button', { name: '添加', exact: true }).click()
    await drawer.getByText('用户名不能为空！').waitFor()
    await drawer.getByText('密码不能为空！').waitFor()

    await drawer.getByLabel('用户名', { exact: true }).fill('taken')
    await drawer.getByLabel('密码', { exact: true }).fill('neap-tide-43')
    await drawer.getByRole('button', { name: '添加', exact: true }).click()
    await drawer.locator('.ant-form-item-explain-error').filter({ hasText: '用户名' }).waitFor()

    await drawer.getByLabel('用户名', { exact: true }).fill('freya')
    await drawer.getByLabel('显示名称').fill('Freya Storm')
    await page.keyboard.press('Enter')

    await toastWith(page, '用户账户创建成功！').waitFor()
    await rowWith(page, 'Freya Storm').waitFor()
    await expect.poll(() => whereIs(page)).toBe('/admin/users')
    expect(await client().login('freya', 'neap-tide-43')).toMatchObject({ role: 1, display_name: 'Freya Storm' })
  })
})

describe('editing a user', () => {
  it('changes name, group and password from an address of its own, and goes back to the list', async () => {
    const id = await addUser(console.site, 'signe')
    const page = await console.captain()
    await page.goto(`/user/edit/${id}`)
    const drawer = drawerOf(page)
    await drawer.getByLabel('显示名称').fill('Signe of the pier')
    await drawer.getByLabel('新密码').fill('short')
    await drawer.getByRole('button', { name: '保存' }).click()
    await drawer.getByText('密码长度不得小于 8 位！').waitFor()
    await drawer.getByLabel('新密码').fill('neap-tide-43')
    await drawer.getByRole('combobox', { name: '分组' }).click()
    await page.locator('.ant-select-dropdown:visible').getByTitle('vip', { exact: true }).click()

    await drawer.getByRole('button', { name: '保存' }).click()

    await toastWith(page, '用户信息更新成功！').waitFor()
    await rowWith(page, 'Signe of the pier').waitFor()
    await expect.poll(() => whereIs(page)).toBe('/admin/users')
    expect(await storedUser(console.site, 'signe')).toMatchObject({ group: 'vip', display_name: 'Signe of the pier' })
    await client().login('signe', 'neap-tide-43')
  })

  it('asks before changes are thrown away', async () => {
    const id = await addUser(console.site, 'tove')
    const page = await console.captain()
    await openUsers(page, `?drawer=edit&id=${id}`)
    await drawerOf(page).getByLabel('显示名称').fill('Not saved')

    await drawerOf(page).getByRole('button', { name: '取消' }).click()
    await page.getByRole('button', { name: '放弃修改' }).click()

    await drawerOf(page).waitFor({ state: 'detached' })
    expect(await storedUser(console.site, 'tove')).toMatchObject({ display_name: 'tove' })
  })

  it('adds quota as a difference: what is charged between opening and saving stays charged', async () => {
    const id = await addUser(console.site, 'mira', { quota: 5_000_000 })
    const secret = await tokenOf('mira')
    const page = await console.captain()
    await openUsers(page, `?drawer=edit&id=${id}`)
    const drawer = drawerOf(page)
    await expect.poll(() => drawer.getByLabel('剩余额度').inputValue()).toBe('5,000,000')

    await chat(secret)
    await expect.poll(() => balanceOf(id), { timeout: 15_000 }).toBeLessThan(5_000_000)
    const charged = 5_000_000 - (await balanceOf(id))
    await drawer.getByRole('button', { name: '增减额度' }).click()
    await page.getByLabel('变动的额度').fill('500000')
    await page.getByText('$11.00 (5,500,000)').waitFor()
    await page.keyboard.press('Enter')
    await drawer.getByText('$10.00 (5,000,000) → $11.00 (5,500,000)').waitFor()
    await drawer.getByRole('button', { name: '保存' }).click()

    await toastWith(page, '用户信息更新成功！').waitFor()
    expect(await balanceOf(id)).toBe(5_500_000 - charged)
  })

  it('takes quota with a minus', async () => {
    const id = await addUser(console.site, 'olav', { quota: 1_000_000 })
    const page = await console.captain()
    await openUsers(page, `?drawer=edit&id=${id}`)
    const drawer = drawerOf(page)
    await drawer.getByRole('button', { name: '增减额度' }).click()
    await page.getByLabel('变动的额度').fill('-250000')
    await page.getByRole('button', { name: '填入表单' }).click()

    await drawer.getByRole('button', { name: '保存' }).click()

    await toastWith(page, '用户信息更新成功！').waitFor()
    expect(await balanceOf(id)).toBe(750_000)
  })
})

async function balanceOf(id: number): Promise<number> {
  return (await console.site.client.call(api.getUser, { path: { id } })).quota
}

/** A token of a user of the given name, with a channel that answers its calls. */
async function tokenOf(username: string): Promise<string> {
  await addChannel(console.site.client, upstream)
  const user = client()
  await user.login(username, SUPER_ADMIN.password)
  return (await addToken(user)).secret
}

async function chat(secret: string): Promise<void> {
  const response = await fetch(`${console.site.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'When does the tide turn?' }] }),
  })
  const answer = await response.text()
  if (!response.ok) throw new Error(`the call was refused: ${response.status} ${answer}`)
}
