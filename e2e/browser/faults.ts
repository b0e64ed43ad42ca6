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

/** How closely to look. */
export interface Depth {
  /** What a layout says to those who cannot see it is the same in every colour; whether its words can be read is not. */
  rules?: 'all' | 'contrast'
  /** From a phone's width, also looks whether there is room on a tablet. */
  tablet?: boolean
}

/** Parsing every style sheet anew serves one rule only, which is experimental and not among those that are looked for. */
const ONLY_MEDIA = { assets: ['media'] }
const TABLET = { width: 768, height: 900 }

/** Opens an address and looks at its screen once it is drawn; `furnish` may first open what stands on it. */
export async function faultsOf(
  page: Page,
  path: string,
  furnish = async (_page: Page) => {},
  { rules = 'all', tablet = false }: Depth = {},
): Promise<Faults> {
  const complaints = listenForComplaints(page)
  await page.goto(path)
  await untilDrawn(page)
  await furnish(page)
  const faults = { sideways: await sidewaysScroll(page), complaints, violations: await violationsIn(page, rules) }
  if (tablet) await expectRoomOnTablet(page)
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
  if (page.url().includes('drawer=')) await page.getByRole('dialog').first().waitFor()
}

/** The room on a tablet, for what stands there now: a phone's cards, whose names and colours were looked at already. */
async function expectRoomOnTablet(page: Page): Promise<void> {
  const phone = page.viewportSize()!
  const dialogs = page.getByRole('dialog')
  const opened = await dialogs.count()
  await page.setViewportSize(TABLET)
  // The menu of the phone goes when the layout of the tablet comes.
  await page.getByRole('button', { name: /^(打开菜单|Open menu)$/, includeHidden: true }).waitFor({ state: 'detached' })
  await untilDrawn(page)
  await expect.poll(() => sidewaysScroll(page), { message: `sideways at ${TABLET.width} px: ${page.url()}` }).toBe(0)
  expect(await dialogs.count()).toBe(opened) // what has been opened on the phone is still what is looked at
  await page.setViewportSize(phone)
}

async function sidewaysScroll(page: Page): Promise<number> {
  return await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return Math.max(0, scrollWidth - clientWidth)
  })
}

async function violationsIn(page: Page, rules: Depth['rules']): Promise<string[]> {
  // The console has no frames: legacy mode spares a second page for each look.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ['violations'],
    preload: ONLY_MEDIA,
    ...(rules === 'contrast' && { runOnly: ['color-contrast'] }),
  })
  // What stands dimmed behind a dialog has a look of its own; names have to be told apart across both.
  const dialog = '[role="dialog"]'
  if (rules === 'contrast' && (await page.locator(dialog).filter({ visible: true }).count()) > 0) axe.include(dialog)
  const { violations } = await axe.analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
}
