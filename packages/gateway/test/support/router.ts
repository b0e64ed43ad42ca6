import { ApiError, type Settings } from '@tidegate/contract'
import { createHealth, type TrialResult } from '../../src/health/health.ts'
import { testClock } from './clock.ts'
import type { CatalogChannel } from '../../src/ports/index.ts'
import { aCaller, aCatalog } from './catalog.ts'
import type { Route, RouteQuestion, Routes } from '../../src/route/route.ts'
import { createRouter } from '../../src/route/route-plan.ts'

export const served: TrialResult = { outcome: 'served', status: 200, milliseconds: 1 }
export const refused: TrialResult = { outcome: 'auth', status: 401, milliseconds: 1 }

/** A router and what it needs, around some channels. */
export function setUp(channels: readonly CatalogChannel[], settings: Partial<Settings> = {}) {
  const clock = testClock()
  const health = createHealth(clock)
  const router = createRouter({ health, random: () => 0 })
  const prices = { ModelRatio: { 'gpt-4o': 1, cheap: 0.5, dear: 30, V: 2, 'gpt-4-gizmo-*': 3 } }
  const catalog = aCatalog(channels, { ...prices, ...settings })
  const route = (fields: Partial<RouteQuestion> = {}) =>
    router.route(catalog, {
      caller: aCaller(),
      group: 'default',
      model: 'gpt-4o',
      dialect: 'openai-chat',
      promptTokens: 100,
      ...fields,
    })
  /** As dispatch would: asks the next channel, and says what became of it. */
  const attempt = (routes: Routes, result: TrialResult): Route | undefined => {
    const found = routes.next()
    const trial = found && health.begin(found)
    trial?.report(result)
    trial?.end()
    return found
  }
  return { clock, health, router, catalog, route, attempt }
}

export const pinned = (pinnedChannelId: number) => ({ caller: { ...aCaller({ userRole: 100 }), pinnedChannelId } })
export const virtual = (...targets: [string, number][]) => ({
  global_model_mapping: { mapping: { V: targets.map(([model, priorities]) => ({ model, priorities })) } },
})

export function refusalOf(work: () => unknown): ApiError {
  try {
    work()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

/** Ids of the first channels handed out. */
export function idsOf(routes: Routes, count: number): (number | undefined)[] {
  return Array.from({ length: count }, () => routes.next()?.channel.id)
}
