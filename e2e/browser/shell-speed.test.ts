import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { PHONE } from './browser.ts'
import { untilLoaded } from './channel-list.ts'
import { visit } from './console-page.ts'
import { startConsole } from './start-console.ts'

const console = startConsole()

/** Compressed script that a first visit may cost, counted by the weaker of the two ways we serve. */
const BUDGET_BYTES = 350_000
const MOST_SHIFT = 0.05

describe('a first visit', () => {
  it.each([
    ['/login', 'visitor'],
    ['/', 'visitor'],
    ['/app/dashboard', 'captain'],
  ] as const)('to %s costs no more script than its budget', async (path, person) => {
    const page = await console[person]()
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
    expect(scripts.size).toBeGreaterThan(5)
    expect(total).toBeLessThan(person === 'visitor' ? BUDGET_BYTES : BUDGET_BYTES + CHARTS_AND_TABLES)
  })
})

/** What a screen of figures brings with it, beside the shell. */
const CHARTS_AND_TABLES = 60_000

describe('nothing moves by itself', () => {
  it.each([
    ['visitor', ['/login', '/pricing']],
    [
      'captain',
      [
        '/app/dashboard',
        '/app/tokens',
        '/app/logs/api-usage',
        '/admin/channels',
        '/admin/settings',
        '/app/me',
        '/app/wallet',
      ],
    ],
  ] as const)('once it is drawn, for a %s', async (person, paths) => {
    const shifts: Record<string, number> = {}
    for (const viewport of [PHONE, { width: 1440, height: 900 }]) {
      const page = await console[person]({ viewport })
      await addUpShifts(page)
      for (const path of paths) {
        await visit(page, path)
        await untilLoaded(page)
        shifts[`${path} at ${viewport.width} px`] = await page.evaluate(() => (window as Shifting).shift ?? 0)
      }
    }

    expect(Object.entries(shifts).filter(([, shift]) => shift > MOST_SHIFT)).toEqual([])
  })
})

type Shifting = typeof window & { shift?: number }

async function addUpShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const whole = window as Shifting
    whole.shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) whole.shift = (whole.shift ?? 0) + entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
}
