import { cacheLimit } from '@tidegate/contract'
import { LRUCache } from 'lru-cache'
import {
  type BudgetState,
  type RequestLimiter,
  type Budget,
  FAILURE_MEMORY_SECONDS,
  failureDelaySeconds,
  type FailureKey,
  FREE_FAILURES,
  type Limiter,
  type ConcurrencyLease,
  LEASE_SECONDS,
  LEASE_WAIT_SECONDS,
  effectiveBudgets,
} from './limiter.ts'

export interface MemoryLimiterOptions {
  /**
   * The maximum number of budgets, failing accounts and failing addresses, each. The least recently used are evicted
   * first.
   */
  max?: number
  /** A monotonic clock, in milliseconds: one that is set back would block every budget for that long. */
  now?: () => number
}

/** Rate limits of one process, with the same rules as the Redis limiter. `test/limiter-suite.ts` tests both. */
export function memoryLimiter({ max = 50_000, now = monotonicNow }: MemoryLimiterOptions = {}): Limiter &
  RequestLimiter {
  const budgets = memoryBudgets(max, now)
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
    acquire: async (request) => budgets.acquire(request),
    release: async (request) => budgets.release(request),
    async renew(leases) {
      for (const lease of leases) budgets.hold(lease)
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

/** Tolerance for rounding errors, so that they do not reject a request. */
const ROUNDING_MS = 0.001

/** Budgets and leases of one process: the arithmetic of `redis-scripts.ts`, in milliseconds. */
function memoryBudgets(max: number, now: () => number) {
  /** The time at which the budget of a key is full again. */
  const fullAt = new LRUCache<string, number>(cacheLimit(max))
  const leases = memoryLeases(now)

  function acquire({
    budgets,
    lease,
  }: Parameters<RequestLimiter['acquire']>[0]): Awaited<ReturnType<RequestLimiter['acquire']>> {
    const nowMs = now()
    let longestMs = 0
    let rejectedBy: string | undefined
    let isStandingExceeded = false
    const requested = effectiveBudgets(budgets).map((budget) => {
      const windowMs = budget.windowSeconds * 1_000
      const stepMs = (budget.cost * windowMs) / budget.limit
      const fullMs = Math.max(nowMs, fullAt.get(budget.key) ?? 0)
      const waitMs = fullMs + stepMs - nowMs - windowMs
      if (waitMs > ROUNDING_MS) {
        if (budget.standing) isStandingExceeded = true
        if (waitMs > longestMs) {
          longestMs = waitMs
          rejectedBy = budget.key
        }
      }
      return { budget, windowMs, stepMs, fullMs }
    })
    if (lease && leases.isFull(lease) && longestMs < LEASE_WAIT_SECONDS * 1_000) {
      longestMs = LEASE_WAIT_SECONDS * 1_000
      rejectedBy = lease.key
    }
    if (lease && rejectedBy === undefined) leases.hold(lease)

    const states = requested.map(({ budget, windowMs, stepMs, fullMs }) => {
      const isTaken = rejectedBy === undefined || (budget.standing === true && !isStandingExceeded)
      if (!isTaken) return stateOf(budget, fullMs, nowMs)
      const after = fullMs + stepMs
      fullAt.set(budget.key, after)
      // A retry of a rejected request also takes from the standing budgets.
      if (rejectedBy !== undefined) longestMs = Math.max(longestMs, after + stepMs - nowMs - windowMs)
      return stateOf(budget, after, nowMs)
    })
    if (rejectedBy === undefined) return { allowed: true, budgets: states }
    return {
      allowed: false,
      retryAfterSeconds: Math.ceil((longestMs - ROUNDING_MS) / 1_000),
      key: rejectedBy,
      budgets: states,
    }
  }

  function release({ budgets, lease }: Parameters<RequestLimiter['release']>[0]): BudgetState[] {
    const nowMs = now()
    if (lease) leases.free(lease)
    return budgets.map((budget) => {
      const stepMs = (budget.cost * budget.windowSeconds * 1_000) / budget.limit
      const known = fullAt.get(budget.key)
      if (stepMs <= 0 && known === undefined) return stateOf(budget, nowMs, nowMs)
      const after = stepMs > 0 ? Math.max(nowMs, known ?? 0) + stepMs : known! + stepMs
      fullAt.set(budget.key, after)
      return stateOf(budget, after, nowMs)
    })
  }

  return { acquire, release, hold: leases.hold }
}

function stateOf({ key, limit, windowSeconds }: Budget, fullMs: number, nowMs: number): BudgetState {
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

/** Leases by key and holder, with their expiry. Bounded by the number of running requests. */
function memoryLeases(now: () => number) {
  const heldUntil = new Map<string, Map<string, number>>()

  return {
    isFull({ key, limit }: ConcurrencyLease): boolean {
      const holders = heldUntil.get(key)
      if (!holders || holders.size < limit) return false
      for (const [holder, until] of holders) if (until <= now()) holders.delete(holder)
      return holders.size >= limit
    },
    hold({ key, holder }: ConcurrencyLease): void {
      let holders = heldUntil.get(key)
      if (!holders) heldUntil.set(key, (holders = new Map<string, number>()))
      holders.set(holder, now() + LEASE_SECONDS * 1_000)
    },
    free({ key, holder }: ConcurrencyLease): void {
      const holders = heldUntil.get(key)
      holders?.delete(holder)
      if (holders?.size === 0) heldUntil.delete(key)
    },
  }
}

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
