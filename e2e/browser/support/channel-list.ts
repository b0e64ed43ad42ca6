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

/** Adds model ratios to those of the site: a user's request for a model without a price is refused. */
export async function priceModels({ client }: Pick<Site, 'client'>, ratios: Record<string, number>): Promise<void> {
  const options = await client.call(api.listOptions)
  const add = async (map: string, figures: Record<string, number>) => {
    const stored = options.find(({ key }) => key === map)!.value
    const value = JSON.stringify({ ...(JSON.parse(stored) as Record<string, number>), ...figures })
    await client.call(api.updateOption, { body: { key: map, value } })
  }
  await add('ModelRatio', ratios)
  await add('CompletionRatio', Object.fromEntries(Object.keys(ratios).map((model) => [model, 1])))
}
