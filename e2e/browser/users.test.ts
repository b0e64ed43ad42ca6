import { api } from '@tidegate/contract'
import { addChannel, addToken, apiClient, fakeUpstream, type FakeUpstream } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PHONE } from './support/browser.ts'
import {
  addMember,
  addUser,
  respond,
  chooseFrom,
  drawerOf,
  openUsers,
  priceModels,
  storedUser,
  toastWith,
} from './support/lists.ts'
import { currentPath } from './support/console-page.ts'
import { chat } from './support/dashboard-site.ts'
import { startConsole } from './support/start-console.ts'
import { cellUnder, rowWith } from './support/table.ts'

const ENGLISH = { locale: 'en-US' } as const
const MODEL = 'users-model'

const console = startConsole()
let upstream: FakeUpstream
beforeAll(async () => {
  upstream = await fakeUpstream()
  await priceModels(console.site, { [MODEL]: 10 })
  await addChannel(console.site.client, upstream, { models: MODEL })
})
afterAll(() => upstream?.close())

describe('a user', () => {
  it('is created from an address, and edited into a group with another password', async () => {
    const page = await console.admin(ENGLISH)
    await page.goto('/user/edit')
    await expect.poll(() => currentPath(page)).toBe('/admin/users?drawer=create')
    const drawer = drawerOf(page)
    await drawer.getByLabel('Username', { exact: true }).fill('freya')
    await drawer.getByLabel('Password', { exact: true }).fill('neap-tide-43')
    await drawer.getByLabel('Display name').fill('Freya Storm')
    await page.keyboard.press('Enter')
    await toastWith(page, 'User created').waitFor()
    await expect.poll(() => currentPath(page)).toBe('/admin/users')
    expect(await signIn('freya', 'neap-tide-43')).toMatchObject({ role: 1, display_name: 'Freya Storm' })

    await page.getByRole('textbox', { name: 'ID, username, email or display name' }).fill('freya')
    await page.keyboard.press('Enter')
    await expect.poll(() => currentPath(page)).toBe('/admin/users?keyword=freya')
    await page.getByRole('button', { name: 'Edit freya' }).click()
    await drawer.getByLabel('Display name').fill('Freya of the pier')
    await drawer.getByLabel('New password').fill('spring-tide-44')
    await drawer.getByRole('combobox', { name: 'Group' }).click()
    await page.locator('.ant-select-dropdown:visible').getByTitle('vip', { exact: true }).click()
    await drawer.getByRole('button', { name: 'Save' }).click()
    await toastWith(page, 'User updated').waitFor()
    await rowWith(page, 'Freya of the pier').waitFor()
    expect(await storedUser(console.site, 'freya')).toMatchObject({ group: 'vip', display_name: 'Freya of the pier' })
    await signIn('freya', 'spring-tide-44')
  })

  it('is promoted, demoted, disabled, deregistered and restored', async () => {
    const jonas = await addMember(console.site, 'jonas')
    const { secret } = await addToken(jonas.client)
    const page = await console.admin(ENGLISH)
    await openUsers(page, '?keyword=jonas')
    const more = page.getByRole('button', { name: 'More actions for jonas' })

    await chooseFrom(more, 'Make admin')
    await respond(page, 'Make admin')
    await expect.poll(() => textUnder(page, 'jonas', 'Role')).toBe('Admin')
    expect(await storedUser(console.site, 'jonas')).toMatchObject({ role: 10 })
    await chooseFrom(more, 'Remove admin')
    await respond(page, 'Remove admin')
    await expect.poll(() => textUnder(page, 'jonas', 'Role')).toBe('User')

    await chooseFrom(more, 'Suspend')
    await toastWith(page, 'jonas suspended').waitFor()
    await expect.poll(() => textUnder(page, 'jonas', 'Status')).toBe('Suspended')
    expect((await jonas.client.send(api.getSelf)).response.status).toBe(401)
    await chooseFrom(more, 'Reactivate')
    await expect.poll(() => textUnder(page, 'jonas', 'Status')).toBe('Active')

    await chooseFrom(more, 'Delete')
    await respond(page, 'Delete')
    await expect.poll(() => textUnder(page, 'jonas', 'Status')).toBe('Deleted')
    await page.getByRole('button', { name: 'Restore jonas' }).click()
    await respond(page, 'Restore')
    await expect.poll(() => textUnder(page, 'jonas', 'Status')).toBe('Active')
    const models = await fetch(`${console.site.server.url}/v1/models`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    expect(models.status).toBe(401) // deregistration revoked the token for good
    await signIn('jonas', jonas.password)
  })

  it('keeps charges between opening and saving a change of quota', async () => {
    const signe = await addMember(console.site, 'signe', { quota: 5_000_000 })
    const { secret } = await addToken(signe.client)
    const page = await console.admin(ENGLISH)
    await openUsers(page, `?drawer=edit&id=${signe.id}`)
    const drawer = drawerOf(page)
    await expect.poll(() => drawer.getByLabel('Balance', { exact: true }).inputValue()).toBe('10')
    await chat(console.site, secret, MODEL)
    await expect.poll(() => balanceOf(signe.id), { timeout: 15_000 }).toBeLessThan(5_000_000)
    const charged = 5_000_000 - (await balanceOf(signe.id))

    await drawer.getByRole('button', { name: 'Advanced' }).click()
    await drawer.getByRole('button', { name: '+$1', exact: true }).click()
    await drawer.getByText('Before: $10.00. Only the difference of +$1.00').waitFor()
    await drawer.getByRole('button', { name: 'Save' }).click()

    await toastWith(page, 'User updated').waitFor()
    expect(await balanceOf(signe.id)).toBe(5_500_000 - charged)
  })

  it('is topped up from the list in three clicks', async () => {
    const edda = await addMember(console.site, 'edda', { quota: 500_000 })
    const page = await console.admin(ENGLISH)
    await openUsers(page, '?keyword=edda')

    await page.getByRole('button', { name: 'Top up edda' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: '+$10', exact: true }).click()
    await dialog.getByText('$11.00').waitFor()
    await dialog.getByRole('button', { name: 'Top up', exact: true }).click()

    await toastWith(page, 'edda: balance changed by +$10.00').waitFor()
    expect(await balanceOf(edda.id)).toBe(5_500_000)
    await expect.poll(() => textUnder(page, 'edda', 'Remaining')).toBe('$11.00')
  })
})

it('lists users in pages and by group, and as cards on a phone', async () => {
  for (let number = 10; number <= 21; number += 1) await addUser(console.site, `sailor-${number}`)
  await sql`update "user" set "group" = 'vip' where username = 'sailor-10'`.execute(console.site.db)
  const page = await console.admin(ENGLISH)
  await openUsers(page, '?keyword=sailor')
  await page.getByText('1–10 of 12').waitFor()
  await page.getByRole('listitem', { name: '2', exact: true }).click()
  await rowWith(page, 'sailor-11').waitFor()
  await expect.poll(() => currentPath(page)).toBe('/admin/users?keyword=sailor&page=2')
  await page.getByRole('combobox', { name: 'Group' }).click()
  await page.locator('.ant-select-dropdown:visible').getByTitle('vip', { exact: true }).click()
  await rowWith(page, 'sailor-11').waitFor({ state: 'detached' })
  await expect.poll(() => currentPath(page)).toBe('/admin/users?keyword=sailor&group=vip')

  await page.setViewportSize(PHONE)

  const card = page.getByRole('listitem').filter({ hasText: 'sailor-10' })
  await card.getByRole('button', { name: 'Details' }).click()
  await card.getByRole('button', { name: 'More actions for sailor-10' }).waitFor()
  expect(await page.getByRole('table').count()).toBe(0)
  await page.goBack()
  await page.getByRole('listitem').filter({ hasText: 'sailor-11' }).waitFor()
})

const signIn = (username: string, password: string) => apiClient(console.site.server.url).login(username, password)

const balanceOf = async (id: number) => (await console.site.client.call(api.getUser, { path: { id } })).quota

const textUnder = async (page: Page, name: string, heading: string) =>
  (await cellUnder(rowWith(page, name), heading)).innerText()
