import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { PageOptions } from '../support/browser.ts'

/** A screen is opened at the first width. */
const WIDTHS = [1440, 768, 360] as const
const HEIGHT = 900

/** Every screen is opened once, in light, and switched to dark on the open page. */
export const SWEEP_PAGE: PageOptions = {
  colorScheme: 'light',
  locale: 'en-US',
  viewport: { width: WIDTHS[0], height: HEIGHT },
}

export interface Screen {
  readonly path: string
  /** Waits for late content. */
  ready?(page: Page): Promise<void>
  /** Opens a dialog or fills a form. */
  open?(page: Page): Promise<void>
}

/** Many screens in one test. */
export const SWEEP_LIMIT = { timeout: 600_000 }

const SETTLE_LIMIT_MS = 10_000

/**
 * Shows the screens one after another and expects no problem: no accessibility violation and, at every width, no
 * horizontal scrolling and no message on the browser's console. Names and roles do not depend on the theme, so all
 * rules run in light on the tables of a wide window. Only the contrast is checked again in dark, on the cards of a
 * phone.
 */
export async function expectNoProblems(page: Page, screens: readonly Screen[]): Promise<void> {
  const messages = consoleMessages(page)
  const problems: string[] = []
  let isFirst = true
  for (const screen of screens) {
    let theme: 'light' | 'dark' = 'light'
    const report = (found: readonly string[]) => {
      const at = `${screen.path} (${theme}, ${page.viewportSize()!.width} px)`
      problems.push(...found.map((problem) => `${at}: ${problem}`))
    }
    try {
      // Left first: a plain screen changes its theme and width at once.
      if (!isFirst) await leave(page)
      await page.emulateMedia({ colorScheme: theme })
      await page.setViewportSize({ width: WIDTHS[0], height: HEIGHT })
      await show(page, screen.path, isFirst)
      isFirst = false
      await screen.ready?.(page)
      await screen.open?.(page)
      report(await accessibilityViolations(page, 'all'))
      for (const width of screen.open ? [WIDTHS[0], WIDTHS[2]] : WIDTHS) {
        if (width !== WIDTHS[0]) await resize(page, width)
        const excess = await horizontalScroll(page)
        if (excess > 0) report([`scrolls sideways by ${excess} px`])
        report(messages.splice(0))
      }
      theme = 'dark'
      await page.emulateMedia({ colorScheme: theme })
      await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' })
      report(await accessibilityViolations(page, 'contrast'))
      report(messages.splice(0))
    } catch (error) {
      report([`could not be shown: ${String(error)}`])
    }
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

/** A screen without forms and dialogs. */
const PLAIN_SCREEN = '/about'

/**
 * Leaves a screen with everything that was opened and typed. Only confirmations survive it: those need a new document.
 */
async function leave(page: Page): Promise<void> {
  await show(page, PLAIN_SCREEN, false)
  if ((await page.getByRole('dialog').count()) > 0) await page.goto(PLAIN_SCREEN)
}

/** Navigating within the console avoids loading it again. */
async function show(page: Page, path: string, isFirst: boolean): Promise<void> {
  if (isFirst) await page.goto(path)
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
  await expect.poll(() => page.locator('[data-skeleton], [data-refreshing]').count()).toBe(0)
  await page.waitForFunction(() => !document.getAnimations().some((animation) => animation instanceof CSSTransition))
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

/** How far the page scrolls horizontally once its layout has settled. */
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

/** Rules with moderate or minor violations, which would be ignored. */
const NOT_REPORTED = Object.fromEntries(
  [
    'aria-allowed-role',
    'empty-heading',
    'empty-table-header',
    'heading-order',
    'image-redundant-alt',
    'landmark-banner-is-top-level',
    'landmark-complementary-is-top-level',
    'landmark-contentinfo-is-top-level',
    'landmark-main-is-top-level',
    'landmark-no-duplicate-banner',
    'landmark-no-duplicate-contentinfo',
    'landmark-no-duplicate-main',
    'landmark-one-main',
    'landmark-unique',
    'meta-viewport-large',
    'page-has-heading-one',
    'presentation-role-conflict',
    'region',
    'skip-link',
    'table-duplicate-name',
  ].map((rule) => [rule, { enabled: false }]),
)

type WindowWithAxe = typeof window & { axe: typeof axe }

async function accessibilityViolations(page: Page, rules: 'all' | 'contrast'): Promise<string[]> {
  // Evaluated once per document: sending the source with every run takes longer than a run.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const violations = await page.evaluate(
    async ({ runOnly, rules }) => {
      // What is dimmed behind a dialog is checked as its own screen.
      const dialogs = [...document.querySelectorAll('[role="dialog"]')].filter((dialog) => dialog.checkVisibility())
      const context = {
        include: dialogs.length > 0 ? dialogs : [document],
        exclude: [['tbody > tr:nth-child(n + 6)'], ['li:nth-child(n + 6)']], // rows are alike
      }
      const { violations } = await (window as WindowWithAxe).axe.run(context, {
        resultTypes: ['violations'],
        preload: false, // style sheets serve one experimental rule only
        ...(runOnly ? { runOnly } : { rules }),
      })
      return violations
    },
    { runOnly: rules === 'contrast' ? ['color-contrast'] : undefined, rules: NOT_REPORTED },
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
}
