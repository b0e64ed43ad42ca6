import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { PageOptions } from './browser.ts'

/** One way to look at every screen. A screen is opened at the first width, and axe runs there. */
export interface Theme {
  readonly colorScheme: 'light' | 'dark'
  readonly locale: 'en-US' | 'zh-CN'
  readonly widths: readonly number[]
  readonly rules: 'all' | 'contrast'
}

/** Names and roles do not depend on the theme: all rules run once, on the tables of a wide window. */
export const THEMES: readonly Theme[] = [
  { colorScheme: 'light', locale: 'en-US', widths: [1440, 768, 360], rules: 'all' },
  { colorScheme: 'dark', locale: 'zh-CN', widths: [360, 768, 1440], rules: 'contrast' },
]

/** Picks the text of the theme's language. */
export type Words = (english: string, chinese: string) => string

export interface Screen {
  readonly path: string
  /** Waits for what arrives late. */
  ready?(page: Page, words: Words): Promise<void>
  /** Opens a dialog or fills a form. */
  open?(page: Page, words: Words): Promise<void>
}

/** Many screens in one test. */
export const SWEEP_LIMIT = { timeout: 600_000 }

const HEIGHT = 900
const SETTLE_LIMIT_MS = 10_000

export function pageOptions({ colorScheme, locale, widths }: Theme): PageOptions {
  return { colorScheme, locale, viewport: { width: widths[0]!, height: HEIGHT } }
}

/** Shows the screens one after another on the page and expects no problem on any. */
export async function expectNoProblems(page: Page, theme: Theme, screens: readonly Screen[]): Promise<void> {
  const messages = consoleMessages(page)
  const problems: string[] = []
  let mustReload = true
  for (const screen of screens) {
    const at = (width: number) => `${screen.path} (${theme.colorScheme}, ${theme.locale}, ${width} px)`
    try {
      await page.setViewportSize({ width: theme.widths[0]!, height: HEIGHT })
      await show(page, screen.path, mustReload)
      const words: Words = (english, chinese) => (theme.locale === 'zh-CN' ? chinese : english)
      await screen.ready?.(page, words)
      await screen.open?.(page, words)
      const violations = await accessibilityViolations(page, theme.rules)
      problems.push(...violations.map((violation) => `${at(theme.widths[0]!)}: ${violation}`))
      for (const width of theme.widths) {
        if (width !== theme.widths[0]) await resize(page, width)
        const excess = await horizontalScroll(page)
        if (excess > 0) problems.push(`${at(width)}: scrolls sideways by ${excess} px`)
        problems.push(...messages.splice(0).map((message) => `${at(width)}: ${message}`))
      }
    } catch (error) {
      problems.push(`${at(page.viewportSize()!.width)}: could not be shown: ${String(error)}`)
    }
    // What was opened or typed must not reach the next screen, nor a dialog that is closing.
    mustReload = screen.open !== undefined || /[?&](drawer|dialog)=/.test(screen.path)
  }
  expect(problems).toEqual([])
}

/** Errors and warnings, of the console and uncaught. Read it with `splice`. */
function consoleMessages(page: Page): string[] {
  const messages: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) messages.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => messages.push(`uncaught: ${error.message}`))
  return messages
}

/** Going on within the console spares loading it again. */
async function show(page: Page, path: string, mustReload: boolean): Promise<void> {
  if (mustReload) await page.goto(path)
  else {
    await page.evaluate((to) => {
      const { idx = 0 } = (history.state ?? {}) as { idx?: number } // the router counts its entries
      history.pushState({ idx: idx + 1, key: to, usr: null }, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, path)
  }
  await untilDrawn(page)
}

async function untilDrawn(page: Page): Promise<void> {
  await nextFrame(page)
  await page.getByRole('heading', { level: 1, includeHidden: true }).first().waitFor({ state: 'attached' })
  await expect.poll(() => page.locator('.ant-skeleton').count()).toBe(0)
  if (page.url().includes('drawer=')) await page.getByRole('dialog').first().waitFor()
}

async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT })
  await untilDrawn(page)
}

/** Media queries report before a frame, and React draws what follows from them before the next. */
async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(resolve)))),
  )
}

/** How far the page can be scrolled sideways once its layout has settled. */
async function horizontalScroll(page: Page): Promise<number> {
  const excess = () => {
    const { scrollWidth, clientWidth } = document.documentElement
    return Math.max(0, scrollWidth - clientWidth)
  }
  const settled = page.waitForFunction(
    () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
    undefined,
    { timeout: SETTLE_LIMIT_MS },
  )
  return await settled.then(
    () => 0,
    () => page.evaluate(excess),
  )
}

async function accessibilityViolations(page: Page, rules: Theme['rules']): Promise<string[]> {
  // The console has no frames of its own: legacy mode spares a second page for each run.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ['violations'],
    preload: { assets: ['media'] }, // style sheets serve one experimental rule only
    ...(rules === 'contrast' && { runOnly: ['color-contrast'] }),
  })
  // What is dimmed behind a dialog is checked as a screen of its own.
  const dialog = '[role="dialog"]'
  if (rules === 'contrast' && (await page.locator(dialog).filter({ visible: true }).count()) > 0) axe.include(dialog)
  const { violations } = await axe.analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
}
