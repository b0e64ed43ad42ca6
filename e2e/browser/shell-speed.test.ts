import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { PHONE } from './support/browser.ts'
import { untilLoaded } from './support/lists.ts'
import { visit } from './support/console-page.ts'
import { startConsole } from './support/start-console.ts'

const console = startConsole()

const SCRIPT_BUDGET_BYTES = 350_000
const CHARTS_AND_TABLES_BYTES = 105_000
const LARGEST_LAYOUT_SHIFT = 0.05

it('loads no more compressed script than budgeted on a first visit', async () => {
  const budgets = [
    ['/login', 'anonymous', SCRIPT_BUDGET_BYTES],
    ['/', 'anonymous', SCRIPT_BUDGET_BYTES],
    ['/app/dashboard', 'admin', SCRIPT_BUDGET_BYTES + CHARTS_AND_TABLES_BYTES],
  ] as const
  for (const [path, role, budget] of budgets) {
    const page = await console[role]()
    const sizes: Promise<[name: string, bytes: number]>[] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (!pathname.endsWith('.js')) return
      sizes.push(response.body().then((body) => [pathname, gzipSync(body, { level: 9 }).byteLength]))
    })

    await visit(page, path)
    await untilLoaded(page)

    const scripts = new Map(await Promise.all(sizes))
    const total = [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0)
    expect(scripts.size, path).toBeGreaterThan(5)
    expect(total, path).toBeLessThan(budget)
  }
})

it('shifts nothing once a screen is drawn', async () => {
  const shifts: Record<string, number> = {}
  const measure = async (page: Page, paths: readonly string[]) => {
    await addUpShifts(page)
    for (const path of paths) {
      await visit(page, path)
      await untilLoaded(page)
      const shift = await page.evaluate(() => (window as Shifting).shift ?? 0)
      shifts[`${path} at ${page.viewportSize()!.width} px`] = shift
    }
  }
  await measure(await console.anonymous({ viewport: PHONE }), ['/login', '/pricing'])
  await measure(await console.admin({ viewport: PHONE }), ['/app/dashboard', '/app/tokens', '/app/me'])
  const wide = await console.admin({ viewport: { width: 1440, height: 900 } })
  await measure(wide, ['/app/logs/api-usage', '/admin/channels', '/admin/settings', '/app/wallet'])

  expect(Object.entries(shifts).filter(([, shift]) => shift > LARGEST_LAYOUT_SHIFT)).toEqual([])
})

type Shifting = typeof window & { shift?: number }

async function addUpShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifting = window as Shifting
    shifting.shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) shifting.shift = (shifting.shift ?? 0) + entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
}
