import { api } from '@tidegate/contract'
import type { Page } from 'playwright-core'
import { untilLoaded } from './channel-list.ts'
import type { Site } from './site.ts'

/** Opens the list of redemption codes and waits until it has something to show. */
export async function openCoupons(page: Page, query = ''): Promise<void> {
  await page.goto(`/admin/coupons${query}`)
  await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor()
  await untilLoaded(page)
}

/** Makes codes and gives their keys. */
export const makeCoupons = ({ client }: Pick<Site, 'client'>, fields: Partial<api.NewRedemptions>): Promise<string[]> =>
  client.call(api.createRedemptions, { body: { name: 'Code', quota: 100_000, ...fields } })
