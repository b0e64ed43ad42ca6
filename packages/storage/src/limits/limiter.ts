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

export interface Limiter {
  /** Takes from every budget, or from none. When refused, `key` is the one that is longest to wait for. */
  take(checks: readonly Check[]): Promise<Taken>
  /** Seconds this key must still wait before its next try; 0 when it may try now. */
  delayAfterFailures(key: string): Promise<number>
  /** Counts a failed try and answers the delay that follows it, in seconds. */
  recordFailure(key: string): Promise<number>
  clearFailures(key: string): Promise<void>
}

/** The checks that limit anything. */
export function realChecks(checks: readonly Check[]): Required<Check>[] {
  return checks
    .filter(({ limit, windowSeconds, cost = 1 }) => limit > 0 && windowSeconds > 0 && cost > 0)
    .map((check) => ({ ...check, cost: check.cost ?? 1 }))
}
