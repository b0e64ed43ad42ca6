import { ApiError, type Settings } from '@tidegate/contract'
import { createHealth, type AttemptResult } from '../../src/health/health.ts'
import { testClock } from './clock.ts'
import type { CatalogChannel } from '../../src/ports/index.ts'
import { aCaller, aCatalog } from './catalog.ts'
import type { Route, RouteOptions, RoutePlan } from '../../src/route/route.ts'
import { createRouter } from '../../src/route/route-plan.ts'

export const served: AttemptResult = { outcome: 'served', status: 200, milliseconds: 1 }
export const rejected: AttemptResult = { outcome: 'auth', status: 401, milliseconds: 1 }
/** Cools down as long as after a rejected key. */
export const limited: AttemptResult = { outcome: 'rate', status: 429, retryAfterSeconds: 60, milliseconds: 1 }

/** A router with the given channels, and its dependencies. */
export function setUp(channels: readonly CatalogChannel[], settings: Partial<Settings> = {}) {
  const clock = testClock()
  const health = createHealth(clock)
  const router = createRouter({ health, random: () => 0 })
  const prices = { ModelRatio: { 'gpt-4o': 1, cheap: 0.5, dear: 30, V: 2, 'gpt-4-gizmo-*': 3 } }
  const catalog = aCatalog(channels, { ...prices, ...settings })
  const route = (fields: Partial<RouteOptions> = {}) =>
    router.plan(catalog, {
      caller: aCaller(),
      group: 'default',
      model: 'gpt-4o',
      dialect: 'openai-chat',
      promptTokens: 100,
      ...fields,
    })
  /** Like dispatch: takes the next route, and reports its result. */
  const attempt = (plan: RoutePlan, result: AttemptResult): Route | undefined => {
    const found = plan.next()
    const lease = found && health.acquireKey(found)
    lease?.report(result)
    lease?.end()
    return found
  }
  return { clock, health, router, catalog, route, attempt }
}

export const pinned = (pinnedChannelId: number) => ({ caller: { ...aCaller({ userRole: 100 }), pinnedChannelId } })
export const virtual = (...targets: [string, number][]) => ({
  global_model_mapping: { mapping: { V: targets.map(([model, priorities]) => ({ model, priorities })) } },
})

export function errorOf(work: () => unknown): ApiError {
  try {
    work()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

/** Ids of the first channels of a plan. */
export function idsOf(plan: RoutePlan, count: number): (number | undefined)[] {
  return Array.from({ length: count }, () => plan.next()?.channel.id)
}
