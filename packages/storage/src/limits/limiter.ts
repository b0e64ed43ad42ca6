/** A budget of `limit` per `windowSeconds` that refills evenly, so a window has no edge to burst across. */
export interface Check {
  /** Names one budget; give different budgets different keys. */
  key: string
  /** 0 means no limit, as does a window of 0. */
  limit: number
  windowSeconds: number
  cost?: number
}

export type Taken = { allowed: true } | { allowed: false; retryAfterSeconds: number; key: string }

/** Whose failures are counted. Those of accounts are kept apart: addresses are many, and must not push them out. */
export type FailureKey = `account:${string}` | `address:${string}`

export interface Limiter {
  /** Takes from every budget, or from none. When refused, `key` is the one that is longest to wait for. */
  take(checks: readonly Check[]): Promise<Taken>
  /** Undoes a `take`: what it was taken for did not happen. */
  giveBack(checks: readonly Check[]): Promise<void>
  /** Seconds this key must still wait before its next try; 0 when it may try now. */
  delayAfterFailures(key: FailureKey): Promise<number>
  /** Counts a failed try and answers the delay that follows it, in seconds. */
  recordFailure(key: FailureKey): Promise<number>
  /**
   * Counts a try as failed before it is made, so that tries side by side see each other; a key that must wait is not
   * counted again. Answers the seconds to wait, 0 when the try may be made. A success ends with `clearFailures`.
   */
  takeTry(key: FailureKey): Promise<number>
  clearFailures(key: FailureKey): Promise<void>
}

/** The checks that limit anything. */
export function effectiveBudgets<Kind extends Check>(checks: readonly Kind[]): (Kind & Required<Check>)[] {
  const real: (Kind & Required<Check>)[] = []
  for (const check of checks) {
    const { limit, windowSeconds, cost = 1 } = check
    if (limit > 0 && windowSeconds > 0 && cost > 0) real.push({ ...check, cost })
  }
  return real
}

/** What calls ask for: budgets that tell how they stand, and places that are held while a call runs. */
export interface CallLimiter {
  /** Takes from every budget and a place, or none of them but the standing budgets: one trip for all. */
  enter(entry: Entry): Promise<Entered>
  /** Corrects budgets by what is known afterwards and frees the place. Answers how those budgets stand now. */
  leave(departure: Departure): Promise<BudgetState[]>
  /** Holds places for a while longer, also places that were lost meanwhile: their calls run, so they count. */
  renew(places: readonly Place[]): Promise<void>
}

export interface Entry {
  budgets: readonly EntryBudget[]
  place?: Place | undefined
}

export interface EntryBudget extends Check {
  /** Taken from also when something else refuses: whoever knocks is counted. */
  standing?: boolean
}

/** One of the `limit` places of a key. */
export interface Place {
  key: string
  limit: number
  /** Names who holds it: unique among all nodes. */
  holder: string
}

/** When refused, `key` is the budget or the places that are longest to wait for. */
export type Entered = ({ allowed: true } | { allowed: false; retryAfterSeconds: number; key: string }) & {
  /** In the order they were given, without those that limit nothing. */
  budgets: BudgetState[]
}

export interface BudgetState {
  key: string
  limit: number
  remaining: number
  /** Until all of the limit is there again. */
  resetSeconds: number
}

export interface Departure {
  /** A cost below 0 gives back; one above 0 is taken also beyond the limit, and those who come later wait for it. */
  budgets: readonly Required<Check>[]
  place?: Place | undefined
}

/** A place is lost when nobody renews it for so long: what a process that died held is free again by then. */
export const LEASE_SECONDS = 60
/** How long to wait for a place is a guess: nobody knows when a call ends. */
export const LEASE_WAIT_SECONDS = 1

/** Failures that cost nothing: people mistype. */
export const FREE_FAILURES = 4
export const MAX_DELAY_SECONDS = 900
/** Failures are forgotten this long after the last one. */
export const FAILURE_MEMORY_SECONDS = 3_600

/** 1, 2, 4, … seconds from the fifth failure on. */
export function failureDelaySeconds(failures: number): number {
  if (failures <= FREE_FAILURES) return 0
  return Math.min(MAX_DELAY_SECONDS, 2 ** (failures - FREE_FAILURES - 1))
}
