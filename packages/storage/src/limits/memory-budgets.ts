import { boundedMap } from './bounded-map.ts'
import { PLACE_WAIT_SECONDS, type BudgetState, type CallLimiter } from './call-limiter.ts'
import { realChecks, type Check } from './limiter.ts'
import { memoryPlaces } from './memory-places.ts'

/** Sums of thirds miss the window by a hair; nobody is refused for that. */
const ROUNDING_MS = 0.001

/** Budgets and places of one process: the arithmetic of `redis-budget-scripts.ts`, in milliseconds. */
export function memoryBudgets(max: number, now: () => number) {
  /** Key to the moment its budget will be full again. */
  const fullAt = boundedMap<number>(max)
  const places = memoryPlaces(now)

  function enter({ budgets, place }: Parameters<CallLimiter['enter']>[0]): Awaited<ReturnType<CallLimiter['enter']>> {
    const nowMs = now()
    let longestMs = 0
    let refusedBy: string | undefined
    let knocksInVain = false
    const asked = realChecks(budgets).map((budget) => {
      const windowMs = budget.windowSeconds * 1_000
      const stepMs = (budget.cost * windowMs) / budget.limit
      const fullMs = Math.max(nowMs, fullAt.get(budget.key) ?? 0)
      const waitMs = fullMs + stepMs - nowMs - windowMs
      if (waitMs > ROUNDING_MS) {
        if (budget.standing) knocksInVain = true
        if (waitMs > longestMs) {
          longestMs = waitMs
          refusedBy = budget.key
        }
      }
      return { budget, windowMs, stepMs, fullMs }
    })
    if (place && places.isFull(place) && longestMs < PLACE_WAIT_SECONDS * 1_000) {
      longestMs = PLACE_WAIT_SECONDS * 1_000
      refusedBy = place.key
    }
    if (place && refusedBy === undefined) places.hold(place)

    const states = asked.map(({ budget, windowMs, stepMs, fullMs }) => {
      const isTaken = refusedBy === undefined || (budget.standing === true && !knocksInVain)
      if (!isTaken) return stateOf(budget, fullMs, nowMs)
      const after = fullMs + stepMs
      fullAt.set(budget.key, after)
      // Who was refused and comes again knocks again.
      if (refusedBy !== undefined) longestMs = Math.max(longestMs, after + stepMs - nowMs - windowMs)
      return stateOf(budget, after, nowMs)
    })
    if (refusedBy === undefined) return { allowed: true, budgets: states }
    return {
      allowed: false,
      retryAfterSeconds: Math.ceil((longestMs - ROUNDING_MS) / 1_000),
      key: refusedBy,
      budgets: states,
    }
  }

  function leave({ budgets, place }: Parameters<CallLimiter['leave']>[0]): BudgetState[] {
    const nowMs = now()
    if (place) places.free(place)
    return budgets.map((budget) => {
      const stepMs = (budget.cost * budget.windowSeconds * 1_000) / budget.limit
      const known = fullAt.get(budget.key)
      if (stepMs <= 0 && known === undefined) return stateOf(budget, nowMs, nowMs)
      const after = stepMs > 0 ? Math.max(nowMs, known ?? 0) + stepMs : known! + stepMs
      fullAt.set(budget.key, after)
      return stateOf(budget, after, nowMs)
    })
  }

  return { enter, leave, hold: places.hold }
}

function stateOf({ key, limit, windowSeconds }: Check, fullMs: number, nowMs: number): BudgetState {
  const windowMs = windowSeconds * 1_000
  const leftMs = windowMs - (fullMs - nowMs)
  const remaining = Math.floor(((leftMs + ROUNDING_MS) * limit) / windowMs)
  return {
    key,
    limit,
    remaining: Math.max(0, Math.min(limit, remaining)),
    resetSeconds: Math.max(0, Math.ceil(fullMs - nowMs - ROUNDING_MS)) / 1_000,
  }
}
