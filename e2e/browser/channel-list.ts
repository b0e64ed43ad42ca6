import { api } from '@tidegate/contract'
import type { Locator, Page } from 'playwright-core'
import type { Site } from './site.ts'

/** Opens the list of channels and waits until it has something to show. */
export async function openChannels(page: Page, query = ''): Promise<void> {
  await page.goto(`/admin/channels${query}`)
  await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor()
  await untilLoaded(page)
}

export async function untilLoaded(page: Page): Promise<void> {
  await page.locator('.ant-skeleton').first().waitFor({ state: 'detached' })
}

/** A short notice at the top of the page. */
export function toastWith(page: Page, text: string | RegExp): Locator {
  return page.locator('.ant-message-notice').filter({ hasText: text }).first()
}

/** The channel of this name as the server has it now. */
export async function storedChannel({ client }: Pick<Site, 'client'>, name: string): Promise<api.Channel | undefined> {
  const found = await client.call(api.searchChannels, { query: { keyword: name } })
  return found.find((channel) => channel.name === name)
}

/** Chooses an entry of the menu that a button opens. */
export async function chooseFrom(button: Locator, entry: string | RegExp): Promise<void> {
  await button.click()
  await button.page().getByRole('menuitem', { name: entry }).click()
}

export async function removeAllChannels({ client }: Pick<Site, 'client'>): Promise<void> {
  const ids = (await client.call(api.searchChannels)).map(({ id }) => id)
  if (ids.length > 0) await client.call(api.deleteChannels, { body: { ids } })
}
