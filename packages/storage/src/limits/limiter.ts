/** A budget of `limit` per `windowSeconds`. It refills evenly, so bursts at window boundaries are not possible. */
export interface Budget {
  /** Identifies one budget. */
  key: string
  /** 0 means no limit, as does a window of 0. */
  limit: number
  windowSeconds: number
  cost?: number
}

export type BudgetDecision = { allowed: true } | { allowed: false; retryAfterSeconds: number; key: string }

/**
 * Counts failures by account and by address. Accounts are stored separately, so that many addresses cannot evict them.
 */
export type FailureKey = `account:${string}` | `address:${string}`

export interface Limiter {
  /** Takes from every budget, or from none. When rejected, `key` is the budget with the longest wait. */
  take(checks: readonly Budget[]): Promise<BudgetDecision>
  /** Undoes a `take` whose action did not happen. */
  refund(checks: readonly Budget[]): Promise<void>
  /** Seconds until this key may try again; 0 when it may try now. */
  delayAfterFailures(key: FailureKey): Promise<number>
  /** Counts a failed attempt and returns the delay before the next one, in seconds. */
  recordFailure(key: FailureKey): Promise<number>
  /**
   * Counts an attempt as failed before it is made, so that concurrent attempts see each other. A key that must wait is
   * not counted again. Returns the seconds to wait, 0 when the attempt is allowed. Call `clearFailures` after a
   * success.
   */
  takeAttempt(key: FailureKey): Promise<number>
  clearFailures(key: FailureKey): Promise<void>
}

/** Leaves out budgets that limit nothing. */
export function effectiveBudgets<Kind extends Budget>(checks: readonly Kind[]): (Kind & Required<Budget>)[] {
  const real: (Kind & Required<Budget>)[] = []
  for (const check of checks) {
    const { limit, windowSeconds, cost = 1 } = check
    if (limit > 0 && windowSeconds > 0 && cost > 0) real.push({ ...check, cost })
  }
  return real
}

/** A promise only where the result needs I/O. */
export type MaybePromise<Result> = Result | Promise<Result>

/** Rate limits of API requests: budgets that report their state, and concurrency leases held while a request runs. */
export interface RequestLimiter {
  /** Takes from every budget and takes the lease, or takes only from the standing budgets. At most one round trip. */
  acquire(request: AcquireRequest): MaybePromise<AcquireResult>
  /** Corrects budgets by the actual cost and releases the lease. Returns the state of those budgets. */
  release(request: ReleaseRequest): MaybePromise<BudgetState[]>
  /** Extends leases. Expired leases are taken again, because their requests still run. */
  renew(leases: readonly ConcurrencyLease[]): Promise<void>
}

export interface AcquireRequest {
  budgets: readonly RequestedBudget[]
  lease?: ConcurrencyLease | undefined
}

export interface RequestedBudget extends Budget {
  /** Taken from even when another budget rejects the request, so that rejected requests count. */
  standing?: boolean
}

/** One of the `limit` concurrent requests of a key. */
export interface ConcurrencyLease {
  key: string
  limit: number
  /** Identifies the request; unique across nodes. */
  holder: string
}

/** When rejected, `key` is the budget or lease with the longest wait. */
export type AcquireResult = ({ allowed: true } | { allowed: false; retryAfterSeconds: number; key: string }) & {
  /** In the order of the request, without budgets that limit nothing. */
  budgets: BudgetState[]
}

export interface BudgetState {
  key: string
  limit: number
  remaining: number
  /** Until the budget is full again. */
  resetSeconds: number
}

export interface ReleaseRequest {
  /** A cost below 0 refunds. A cost above 0 is taken even beyond the limit, and later requests wait for it. */
  budgets: readonly Required<Budget>[]
  lease?: ConcurrencyLease | undefined
}

/** A lease expires after this time without renewal, which frees the leases of dead processes. */
export const LEASE_SECONDS = 60
/** A guess: the end of a running request is unknown. */
export const LEASE_WAIT_SECONDS = 1

/** Failures without a delay, because typing errors are common. */
export const FREE_FAILURES = 4
export const MAX_DELAY_SECONDS = 900
/** Failures are forgotten this long after the last one. */
export const FAILURE_MEMORY_SECONDS = 3_600

/** 1, 2, 4, … seconds from the fifth failure on. */
export function failureDelaySeconds(failures: number): number {
  if (failures <= FREE_FAILURES) return 0
  return Math.min(MAX_DELAY_SECONDS, 2 ** (failures - FREE_FAILURES - 1))
}
