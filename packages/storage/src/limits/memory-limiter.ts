import { cacheLimit } from '@tidegate/contract'
import { LRUCache } from 'lru-cache'
import { type BudgetSource, grantedOf, PROCESS_SECONDS } from './budget-source.ts'
import {
  type AcquireResult,
  type BudgetState,
  type ConcurrencyLease,
  effectiveBudgets,
  FAILURE_MEMORY_SECONDS,
  failureDelaySeconds,
  type FailureKey,
  FREE_FAILURES,
  type Limiter,
  type AcquireRequest,
  type ReleaseRequest,
} from './limiter.ts'
import { memoryBudgets } from './memory-budgets.ts'

export interface MemoryLimiterOptions {
  /**
   * The maximum number of budgets, failing accounts and failing addresses, each. The least recently used are evicted
   * first.
   */
  max?: number
  /** A monotonic clock, in milliseconds: one that is set back would block every budget for that long. */
  now?: () => number
}

/** Needs no I/O, so requests get their result at once. */
export interface MemoryLimiter extends Limiter, BudgetSource {
  acquire(request: AcquireRequest): AcquireResult
  release(request: ReleaseRequest): BudgetState[]
  hold(lease: ConcurrencyLease): void
  /** Sets when a budget is full, unless it is known to be full later. */
  seed(key: string, resetMs: number): void
}

/** Rate limits of one process, with the same rules as the Redis limiter. `test/limiter-suite.ts` tests both. */
export function memoryLimiter({ max = 50_000, now = monotonicNow }: MemoryLimiterOptions = {}): MemoryLimiter {
  const { leases, ...budgets } = memoryBudgets(max, now)
  const processes = new Map<string, number>()
  const failures = memoryFailures(max)

  function recentFailures(key: FailureKey): Failures | undefined {
    const known = failures.get(key)
    return known && now() - known.lastMs < FAILURE_MEMORY_SECONDS * 1_000 ? known : undefined
  }

  function delayOf(key: FailureKey): number {
    const known = recentFailures(key)
    if (!known) return 0
    const freeAt = known.lastMs + failureDelaySeconds(known.count) * 1_000
    return Math.max(0, Math.ceil((freeAt - now()) / 1_000))
  }

  function countFailure(key: FailureKey): number {
    const count = (recentFailures(key)?.count ?? 0) + 1
    failures.set(key, { count, lastMs: now() })
    return failureDelaySeconds(count)
  }

  return {
    acquire: budgets.acquire,
    release: budgets.release,
    hold: leases.hold,
    seed: budgets.seed,
    async renew(renewed) {
      for (const lease of renewed) leases.hold(lease)
    },
    takeSlices: async (holder, orders) => orders.map((order) => budgets.takeSlice(holder, order)),
    takeLeases: async (holder, orders) =>
      orders.map((order) => {
        const taken = grantedOf(order, leases.available(order), holder.processes)
        for (let index = 1; index <= taken; index++) leases.hold({ key: order.key, holder: `${order.prefix}${index}` })
        return taken
      }),
    async freeLeases(freed) {
      for (const lease of freed) leases.free(lease)
    },
    async registerProcess(process) {
      processes.set(process, now() + PROCESS_SECONDS * 1_000)
      for (const [other, until] of processes) if (until <= now()) processes.delete(other)
      return processes.size
    },
    async take(checks) {
      const { budgets: _, ...taken } = budgets.acquire({ budgets: checks })
      return taken
    },
    async refund(checks) {
      budgets.release({ budgets: effectiveBudgets(checks).map((check) => ({ ...check, cost: -check.cost })) })
    },
    delayAfterFailures: async (key) => delayOf(key),
    recordFailure: async (key) => countFailure(key),
    async takeAttempt(key) {
      const seconds = delayOf(key)
      if (seconds === 0) countFailure(key)
      return seconds
    },
    async clearFailures(key) {
      failures.delete(key)
    },
  }
}

const monotonicNow = () => performance.now()

interface Failures {
  count: number
  lastMs: number
}

/**
 * Failures in this process. Names and addresses are easy to vary, so keys with few failures can evict only each other,
 * never an account that has to wait.
 */
function memoryFailures(max: number) {
  const tiers = { account: newTiers(max), address: newTiers(max) }
  const tiersOf = (key: FailureKey) => tiers[key.startsWith('account:') ? 'account' : 'address']

  return {
    get(key: FailureKey): Failures | undefined {
      const { delayed, free } = tiersOf(key)
      return delayed.get(key) ?? free.get(key)
    },
    set(key: FailureKey, failures: Failures): void {
      const { delayed, free } = tiersOf(key)
      const isDelayed = failures.count > FREE_FAILURES
      ;(isDelayed ? free : delayed).delete(key)
      ;(isDelayed ? delayed : free).set(key, failures)
    },
    delete(key: FailureKey): void {
      const { delayed, free } = tiersOf(key)
      delayed.delete(key)
      free.delete(key)
    },
  }
}

function newTiers(max: number): Record<'delayed' | 'free', LRUCache<string, Failures>> {
  return { delayed: new LRUCache(cacheLimit(max)), free: new LRUCache(cacheLimit(max)) }
}
