import type { Page } from 'playwright-core'
import { untilLoaded } from './channel-list.ts'

/** Opens the list of the own tokens and waits until it has something to show. */
export async function openTokens(page: Page, query = ''): Promise<void> {
  await page.goto(`/app/tokens${query}`)
  await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor()
  await untilLoaded(page)
}
