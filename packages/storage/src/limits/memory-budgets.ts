import { cacheLimit } from '@tidegate/contract'
import { LRUCache } from 'lru-cache'
import { grantedOf, sliceExpiryMs, type SliceGrant, type SliceHolder, type SliceOrder } from './budget-source.ts'
import {
  type AcquireRequest,
  type AcquireResult,
  type Budget,
  type BudgetState,
  effectiveBudgets,
  LEASE_WAIT_SECONDS,
  type ReleaseRequest,
} from './limiter.ts'
import { memoryLeases } from './memory-leases.ts'

/** Tolerance for rounding errors, so that they do not reject a request. */
export const ROUNDING_MS = 0.001

/** Budgets and leases of one process: the arithmetic of `redis-scripts.ts` and `slice-scripts.ts`, in milliseconds. */
export function memoryBudgets(max: number, now: () => number) {
  /** The time at which the budget of a key is full again. */
  const fullAt = new LRUCache<string, number>(cacheLimit(max))
  const slices = new LRUCache<string, Map<string, HeldSlice>>(cacheLimit(max))
  const leases = memoryLeases(now)

  function acquire({ budgets, lease }: AcquireRequest): AcquireResult {
    const nowMs = now()
    let longestMs = 0
    let rejectedBy: string | undefined
    let isStandingExceeded = false
    const requested = effectiveBudgets(budgets).map((budget) => {
      const windowMs = budget.windowSeconds * 1_000
      const stepMs = (budget.cost * windowMs) / budget.limit
      const { fullMs } = whenFull(budget.key, windowMs / budget.limit, nowMs)
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
    if (lease && leases.available(lease) === 0 && longestMs < LEASE_WAIT_SECONDS * 1_000) {
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
    return { allowed: false, retryAfterSeconds: toRetryAfter(longestMs), key: rejectedBy, budgets: states }
  }

  function release({ budgets, lease }: ReleaseRequest): BudgetState[] {
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

  /**
   * What is left and what processes hold never exceed the limit together, so a slice that is spent late does not add to
   * a full budget. The units of a process that died count as spent at their expiry.
   */
  function whenFull(key: string, stepMs: number, nowMs: number): { fullMs: number; held: number } {
    const known = Math.max(nowMs, fullAt.get(key) ?? 0)
    const holders = slices.get(key)
    if (!holders) return { fullMs: known, held: 0 }
    let [unspent, held, expiredMs] = [0, 0, -Infinity]
    for (const [holder, { units, expiresMs }] of holders) {
      unspent += units
      if (expiresMs > nowMs) held += units
      else {
        expiredMs = Math.max(expiredMs, expiresMs)
        holders.delete(holder)
      }
    }
    const fullMs = Math.max(known, nowMs + held * stepMs, expiredMs + unspent * stepMs)
    if (expiredMs > -Infinity) fullAt.set(key, fullMs)
    return { fullMs, held }
  }

  function takeSlice({ process, processes }: SliceHolder, order: SliceOrder): SliceGrant {
    const nowMs = now()
    const { key, limit, windowSeconds, held, refund } = order
    const windowMs = windowSeconds * 1_000
    const stepMs = windowMs / limit
    const before = whenFull(key, stepMs, nowMs)
    const holders = slices.get(key) ?? new Map<string, HeldSlice>()
    const heldByAll = before.held - (holders.get(process)?.units ?? 0) + held
    const fullMs = Math.max(before.fullMs - refund * stepMs, nowMs + heldByAll * stepMs)
    const available = Math.floor((nowMs + windowMs - fullMs + ROUNDING_MS) / stepMs)
    const units = grantedOf(order, available, processes)
    const after = fullMs + units * stepMs
    fullAt.set(key, after)
    if (held + units > 0) holders.set(process, { units: held + units, expiresMs: nowMs + sliceExpiryMs(windowSeconds) })
    else holders.delete(process)
    slices.set(key, holders)
    return { units, resetMs: after - nowMs }
  }

  return {
    acquire,
    release,
    takeSlice,
    leases,
    /** Sets when a budget is full, unless it is known to be full later. */
    seed(key: string, resetMs: number): void {
      const fullMs = now() + resetMs
      if (fullMs > (fullAt.get(key) ?? 0)) fullAt.set(key, fullMs)
    },
  }
}

interface HeldSlice {
  units: number
  expiresMs: number
}

export function stateOf({ key, limit, windowSeconds }: Budget, fullMs: number, nowMs: number): BudgetState {
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

export function toRetryAfter(waitMs: number): number {
  return Math.ceil((waitMs - ROUNDING_MS) / 1_000)
}
