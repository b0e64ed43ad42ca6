import { cacheLimit, logEvent, type Log } from '@tidegate/contract'
import { LRUCache } from 'lru-cache'
import type {
  AcquireRequest,
  AcquireResult,
  Budget,
  BudgetState,
  ConcurrencyLease,
  Limiter,
  ReleaseRequest,
} from './limiter.ts'
import type { MemoryLimiter } from './memory-limiter.ts'
import type { SlicedLimiter } from './sliced-limiter.ts'

export interface FallbackOptions {
  log?: Log | undefined
  isReady?: (() => boolean) | undefined
  /** How long Redis is not used after a failure, so that a hanging Redis delays one request and not all. */
  cooldownMs?: number
  /** A monotonic clock, in milliseconds. */
  now?: () => number
}

const MAX_LOCAL_BUDGETS = 50_000
const REPORT_BATCH = 100

/**
 * Uses `shared` while it works and `local` otherwise. During an outage each process allows its share of a limit, and
 * continues from the last known state.
 */
export function limiterWithFallback(
  shared: Limiter & SlicedLimiter,
  local: MemoryLimiter,
  options: FallbackOptions = {},
): Limiter & SlicedLimiter {
  const { log, isReady = () => true, cooldownMs = 1_000, now = () => performance.now() } = options
  /** What this process allowed during an outage, by budget. */
  const used = new LRUCache<string, Required<Budget>>(cacheLimit(MAX_LOCAL_BUDGETS))
  let isUnavailable = false
  let retryAt = 0

  function markUnavailable(error: unknown): void {
    retryAt = now() + cooldownMs
    if (!isUnavailable) logEvent(log, 'ratelimit.local', { err: error })
    isUnavailable = true
  }

  function markAvailable(): void {
    if (!isUnavailable) return
    isUnavailable = false
    logEvent(log, 'ratelimit.shared')
    void reportUsage()
  }

  function isUsable(): boolean {
    if (now() < retryAt) return false
    if (isReady()) return true
    markUnavailable(new Error('not connected to Redis'))
    return false
  }

  async function withFallback<Result>(use: (limiter: Limiter) => Promise<Result>): Promise<Result> {
    if (!isUsable()) return use(local)
    try {
      const result = await use(shared)
      markAvailable()
      return result
    } catch (error) {
      markUnavailable(error)
      return use(local)
    }
  }

  async function acquireShared(pending: Promise<AcquireResult>, request: AcquireRequest): Promise<AcquireResult> {
    try {
      const result = await pending
      markAvailable()
      if (result.allowed && request.lease) local.hold(request.lease)
      return result
    } catch (error) {
      markUnavailable(error)
      return acquireLocally(request)
    }
  }

  async function releaseShared(pending: Promise<BudgetState[]>, request: ReleaseRequest): Promise<BudgetState[]> {
    try {
      const states = await pending
      markAvailable()
      return states
    } catch (error) {
      markUnavailable(error)
      return releaseLocally(request)
    }
  }

  function acquireLocally({ budgets, lease }: AcquireRequest): AcquireResult {
    const result = local.acquire({
      budgets: budgets.map(toShare),
      ...(lease && { lease: { ...lease, limit: shareOf(lease.limit) } }),
    })
    if (result.allowed) for (const budget of budgets) countUsage({ ...budget, cost: budget.cost ?? 1 })
    return { ...result, budgets: withLimits(result.budgets, budgets) }
  }

  function releaseLocally({ budgets }: ReleaseRequest): BudgetState[] {
    const states = local.release({ budgets: budgets.map((budget) => ({ ...toShare(budget), cost: budget.cost })) })
    budgets.forEach(countUsage)
    return withLimits(states, budgets)
  }

  /** The share of this process, in the state in which the shared budget was last seen. */
  function toShare<Kind extends Budget>(budget: Kind): Kind {
    const { key, limit, cost = 1 } = budget
    if (limit <= 0) return budget
    local.seed(key, shared.resetMs(key) ?? 0)
    // A prompt that is larger than the share must not wait for Redis.
    return { ...budget, limit: Math.max(shareOf(limit), Math.min(cost, limit)) }
  }

  function shareOf(limit: number): number {
    return Math.max(1, Math.floor(limit / shared.processes()))
  }

  function countUsage({ key, limit, windowSeconds, cost }: Required<Budget>): void {
    if (limit > 0 && windowSeconds > 0)
      used.set(key, { key, limit, windowSeconds, cost: cost + (used.get(key)?.cost ?? 0) })
  }

  /** Takes from the shared budgets what was allowed without them and has not refilled since. */
  async function reportUsage(): Promise<void> {
    const budgets = [...used.values()].flatMap((budget) => {
      const share = shareOf(budget.limit)
      const [state] = local.release({ budgets: [{ ...budget, limit: share, cost: 0 }] })
      const cost = Math.min(budget.cost, share - state!.remaining)
      return cost > 0 ? [{ ...budget, cost }] : []
    })
    used.clear()
    try {
      for (let from = 0; from < budgets.length; from += REPORT_BATCH) {
        await shared.release({ budgets: budgets.slice(from, from + REPORT_BATCH) })
      }
    } catch (error) {
      markUnavailable(error) // what is not reported is lost with the outage
    }
  }

  return {
    // The leases of this process are always counted locally too, so that running requests still count when Redis fails.
    acquire(request) {
      if (!isUsable()) return acquireLocally(request)
      const result = shared.acquire(request)
      if (result instanceof Promise) return acquireShared(result, request)
      if (result.allowed && request.lease) local.hold(request.lease)
      return result
    },
    release(request) {
      const { lease } = request
      if (lease) local.release({ budgets: [], lease })
      if (!isUsable()) {
        if (lease) shared.freeLease(lease.holder)
        return releaseLocally(request)
      }
      const states = shared.release(request)
      return states instanceof Promise ? releaseShared(states, request) : states
    },
    async renew(leases: readonly ConcurrencyLease[]) {
      await local.renew(leases)
      if (!isUsable()) return
      try {
        await shared.renew(leases)
        markAvailable()
      } catch (error) {
        markUnavailable(error)
      }
    },
    async maintain() {
      if (!isUsable()) return
      try {
        await shared.maintain()
        markAvailable()
      } catch (error) {
        markUnavailable(error)
      }
    },
    close: () => (isReady() ? shared.close() : Promise.resolve()),
    freeLease: shared.freeLease,
    processes: shared.processes,
    resetMs: shared.resetMs,
    take: (checks) => withFallback((limiter) => limiter.take(checks)),
    refund: (checks) => withFallback((limiter) => limiter.refund(checks)),
    delayAfterFailures: (key) => withFallback((limiter) => limiter.delayAfterFailures(key)),
    recordFailure: (key) => withFallback((limiter) => limiter.recordFailure(key)),
    takeAttempt: (key) => withFallback((limiter) => limiter.takeAttempt(key)),
    clearFailures: (key) => withFallback((limiter) => limiter.clearFailures(key)),
  }
}

function withLimits(states: readonly BudgetState[], budgets: readonly Budget[]): BudgetState[] {
  return states.map((state) => ({
    ...state,
    limit: budgets.find(({ key }) => key === state.key)?.limit ?? state.limit,
  }))
}
