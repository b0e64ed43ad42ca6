import { api } from '@tidegate/contract'
import type { Page } from 'playwright-core'
import { untilLoaded } from './channel-list.ts'
import type { Site } from './site.ts'

/** Opens the list of the own tokens and waits until it has something to show. */
export async function openTokens(page: Page, query = ''): Promise<void> {
  await page.goto(`/app/tokens${query}`)
  await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor()
  await untilLoaded(page)
}

export const makeToken = ({ client }: Pick<Site, 'client'>, fields: api.BodyInput<typeof api.createToken>) =>
  client.call(api.createToken, { body: fields })

/** All tokens of the super admin as the server has them now, the newest first. */
export const storedTokens = ({ client }: Pick<Site, 'client'>): Promise<api.ApiToken[]> =>
  client.call(api.listTokens, { query: { size: 100 } })
