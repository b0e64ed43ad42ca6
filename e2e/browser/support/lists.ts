import { api } from '@tidegate/contract'
import { type ApiClient, apiClient, SUPER_ADMIN } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { addOrdinaryUser, type Credentials, type Site } from './site.ts'

/** Opens the list of the own tokens and waits until it is loaded. */
export async function openTokens(page: Page, query = ''): Promise<void> {
  await page.goto(`/app/tokens${query}`)
  await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor()
  await untilLoaded(page)
}

/** Opens the list of redemption codes and waits until it is loaded. */
export async function openRedemptionCodes(page: Page, query = ''): Promise<void> {
  await page.goto(`/admin/coupons${query}`)
  await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor()
  await untilLoaded(page)
}

/** Creates codes and returns their keys. */
export const createRedemptionCodes = (
  { client }: Pick<Site, 'client'>,
  fields: Partial<api.NewRedemptions>,
): Promise<string[]> => client.call(api.createRedemptions, { body: { name: 'Code', quota: 100_000, ...fields } })

/** Opens the list of channels and waits until it is loaded. */
export async function openChannels(page: Page, query = ''): Promise<void> {
  await page.goto(`/admin/channels${query}`)
  await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor()
  await untilLoaded(page)
}

export async function untilLoaded(page: Page): Promise<void> {
  await page.locator('[data-skeleton]').first().waitFor({ state: 'detached' })
}

/** A toast at the top of the page. */
export function toastWith(page: Page, text: string | RegExp): Locator {
  return page.locator('.ant-message-notice').filter({ hasText: text }).first()
}

/** The current channel of this name on the server. */
export async function storedChannel({ client }: Pick<Site, 'client'>, name: string): Promise<api.Channel | undefined> {
  const found = await client.call(api.searchChannels, { query: { keyword: name } })
  return found.find((channel) => channel.name === name)
}

/** Chooses an entry of the menu that a button opens. */
export async function chooseFrom(button: Locator, entry: string | RegExp): Promise<void> {
  await button.click()
  await button.page().getByRole('menuitem', { name: entry }).click()
}

/** Adds model ratios to those of the site: a request for a model without a price is rejected. */
export async function priceModels({ client }: Pick<Site, 'client'>, ratios: Record<string, number>): Promise<void> {
  const options = await client.call(api.listOptions)
  const add = async (map: string, ratios: Record<string, number>) => {
    const stored = options.find(({ key }) => key === map)!.value
    const value = JSON.stringify({ ...(JSON.parse(stored) as Record<string, number>), ...ratios })
    await client.call(api.updateOption, { body: { key: map, value } })
  }
  await add('ModelRatio', ratios)
  await add('CompletionRatio', Object.fromEntries(Object.keys(ratios).map((model) => [model, 1])))
}

/** Opens the list of users and waits until it is loaded. */
export async function openUsers(page: Page, query = ''): Promise<void> {
  await page.goto(`/admin/users${query}`)
  await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor()
  await untilLoaded(page)
}

/** A user of any role with the super admin's password. Returns the ID. */
export async function addUser(
  site: Site,
  username: string,
  { role = 1, quota = 0 }: { role?: number; quota?: number } = {},
): Promise<number> {
  await addOrdinaryUser(site, username)
  await sql`update "user" set role = ${role} where username = ${username}`.execute(site.db)
  const { id } = (await storedUser(site, username))!
  if (quota !== 0) await site.client.call(api.updateUser, { body: { id, username, quota } })
  return id
}

export interface Member extends Credentials {
  id: number
  /** Signed in as the user. */
  client: ApiClient
}

/** A user for `console.member` who can also call the API. */
export async function addMember(
  site: Site,
  username: string,
  options?: Parameters<typeof addUser>[2],
): Promise<Member> {
  const { password } = SUPER_ADMIN
  const id = await addUser(site, username, options)
  const client = apiClient(site.server.url)
  await client.login(username, password)
  return { id, client, username, password }
}

/** The current user of this name on the server. */
export async function storedUser({ client }: Pick<Site, 'client'>, name: string): Promise<api.ListedUser | undefined> {
  const { items } = await client.call(api.searchUsers, { query: { keyword: name, page_size: 100 } })
  return items.find(({ username }) => username === name)
}

/** The drawer that is open over the list. */
export const drawerOf = (page: Page): Locator => page.locator('.ant-drawer').filter({ visible: true })

/** Confirms or cancels the open dialog. */
export async function respond(page: Page, word: string): Promise<void> {
  await page.locator('.ant-modal-confirm').getByRole('button', { name: word, exact: true }).click()
}
