import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** What is wrong with a screen as a browser shows it. */
export interface Faults {
  /** How far the page can be scrolled sideways. */
  sideways: number
  complaints: string[]
  violations: string[]
}

export const NONE: Faults = { sideways: 0, complaints: [], violations: [] }

/** What a layout says to those who cannot see it is the same in every colour; whether its words can be read is not. */
export type Rules = 'all' | 'contrast'

/** Opens an address and looks at its screen once it is drawn; `furnish` may first open what stands on it. */
export async function faultsOf(
  page: Page,
  path: string,
  furnish = async (_page: Page) => {},
  rules: Rules = 'all',
): Promise<Faults> {
  const complaints = listenForComplaints(page)
  await page.goto(path)
  await untilDrawn(page)
  await furnish(page)
  const faults = { sideways: await sidewaysScroll(page), complaints, violations: await violationsIn(page, rules) }
  page.removeAllListeners()
  return faults
}

function listenForComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}

/** Waits for the screen and for what it asks the server. */
async function untilDrawn(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor()
  await expect.poll(() => page.locator('.ant-skeleton').count()).toBe(0)
  if (page.url().includes('drawer=')) await page.getByRole('dialog').waitFor()
}

async function sidewaysScroll(page: Page): Promise<number> {
  return await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return Math.max(0, scrollWidth - clientWidth)
  })
}

async function violationsIn(page: Page, rules: Rules): Promise<string[]> {
  // The console has no frames: legacy mode spares a second page for each look.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], ...(rules === 'contrast' && { runOnly: ['color-contrast'] }) })
    .analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
}
