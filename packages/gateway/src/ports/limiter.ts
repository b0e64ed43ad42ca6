/** A promise only where the result needs I/O. */
type MaybePromise<Result> = Result | Promise<Result>

/** Rate limit counters, shared by all nodes where a shared store is configured. */
export interface Limiter {
  /** Takes from every budget and takes a concurrency lease, or takes from the standing budgets only. */
  acquire(entry: { budgets: readonly RequestedBudget[]; lease?: ConcurrencyLease }): MaybePromise<AcquireResult>
  /** Corrects budgets (a negative cost returns some) and frees the lease. Returns the new state of those budgets. */
  release(correction: { budgets: readonly Required<Budget>[]; lease?: ConcurrencyLease }): MaybePromise<BudgetState[]>
}

/** Limits within a window; 0 means unlimited. */
export interface RateLimit {
  readonly windowSeconds: number
  /** All requests, including rejected ones. */
  readonly requests: number
  /** Successful requests. */
  readonly successes: number
}

export interface Budget {
  readonly key: string
  readonly limit: number
  readonly windowSeconds: number
  /** 1 by default. */
  readonly cost?: number
}

export interface RequestedBudget extends Budget {
  /** Counted also when another limit rejects the request. */
  readonly standing?: boolean
}

/** One of `limit` concurrency leases, held while a request runs. */
export interface ConcurrencyLease {
  readonly key: string
  readonly limit: number
  readonly holder: string
}

export type AcquireResult = (
  | { readonly allowed: true }
  | { readonly allowed: false; readonly retryAfterSeconds: number; readonly key: string }
) & { readonly budgets: readonly BudgetState[] }

export interface BudgetState {
  readonly key: string
  readonly limit: number
  readonly remaining: number
  /** Seconds until the whole limit is available. */
  readonly resetSeconds: number
}
