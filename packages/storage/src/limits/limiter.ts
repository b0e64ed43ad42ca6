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
export function realChecks<Kind extends Check>(checks: readonly Kind[]): (Kind & Required<Check>)[] {
  const real: (Kind & Required<Check>)[] = []
  for (const check of checks) {
    const { limit, windowSeconds, cost = 1 } = check
    if (limit > 0 && windowSeconds > 0 && cost > 0) real.push({ ...check, cost })
  }
  return real
}
