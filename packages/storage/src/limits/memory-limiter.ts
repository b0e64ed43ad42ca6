import type { CallLimiter } from './call-limiter.ts'
import { FAILURE_MEMORY_SECONDS, failureDelaySeconds } from './failure-delay.ts'
import { realChecks, type FailureKey, type Limiter } from './limiter.ts'
import { memoryBudgets } from './memory-budgets.ts'
import { memoryFailures, type Failures } from './memory-failures.ts'

export interface MemoryLimiterOptions {
  /** Budgets, failing accounts and failing addresses remembered at most, each; the longest untouched are forgotten first. */
  max?: number
  /** Milliseconds of a clock that only goes forward: one that is set back would close every budget for as long. */
  now?: () => number
}

/** Limits of one process. The same rules as those of the Redis limiter; `limiter-suite.ts` holds the two together. */
export function memoryLimiter({ max = 50_000, now = steady }: MemoryLimiterOptions = {}): Limiter & CallLimiter {
  const budgets = memoryBudgets(max, now)
  const failures = memoryFailures(max)

  function remembered(key: FailureKey): Failures | undefined {
    const known = failures.get(key)
    return known && now() - known.lastMs < FAILURE_MEMORY_SECONDS * 1_000 ? known : undefined
  }

  function delayOf(key: FailureKey): number {
    const known = remembered(key)
    if (!known) return 0
    const freeAt = known.lastMs + failureDelaySeconds(known.count) * 1_000
    return Math.max(0, Math.ceil((freeAt - now()) / 1_000))
  }

  function countFailure(key: FailureKey): number {
    const count = (remembered(key)?.count ?? 0) + 1
    failures.set(key, { count, lastMs: now() })
    return failureDelaySeconds(count)
  }

  return {
    enter: async (entry) => budgets.enter(entry),
    leave: async (departure) => budgets.leave(departure),
    async renew(places) {
      for (const place of places) budgets.hold(place)
    },
    async take(checks) {
      const { budgets: _, ...taken } = budgets.enter({ budgets: checks })
      return taken
    },
    async giveBack(checks) {
      budgets.leave({ budgets: realChecks(checks).map((check) => ({ ...check, cost: -check.cost })) })
    },
    delayAfterFailures: async (key) => delayOf(key),
    recordFailure: async (key) => countFailure(key),
    async takeTry(key) {
      const seconds = delayOf(key)
      if (seconds === 0) countFailure(key)
      return seconds
    },
    async clearFailures(key) {
      failures.delete(key)
    },
  }
}

const steady = () => performance.now()
