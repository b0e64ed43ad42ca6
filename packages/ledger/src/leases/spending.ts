interface SpendingOptions {
  now(): number
  aheadSeconds: number
}

const WINDOW_MS = 2_000
/**
 * A lease covers this many requests like the last one, so that an account with occasional requests needs few queries.
 */
const REQUESTS_AHEAD = 8

/** The spending rate of an account, which decides how much of it is leased ahead. */
export class Spending {
  readonly #options: SpendingOptions
  /** Spending in the current and the previous window: two numbers instead of a history. */
  #window = { start: 0, spent: 0, before: 0 }
  /** The cost of the last request that was not free. */
  #lastSpent = 0

  constructor(options: SpendingOptions) {
    this.#options = options
  }

  /** Returns whether a new window began, and with it a new rate. */
  add(spent: number): boolean {
    const now = this.#options.now()
    const passed = now - this.#window.start
    const isNew = passed >= WINDOW_MS
    if (isNew) {
      this.#window = { start: now, spent: 0, before: passed < 2 * WINDOW_MS ? this.#window.spent : 0 }
    }
    this.#window.spent += spent
    if (spent > 0) this.#lastSpent = spent
    return isNew
  }

  /**
   * What to lease beyond the waiting requests: recent spending for the duration of a lease, the cost of some requests,
   * or enough to reserve the largest once more. Without the latter, the next request would need a query because the
   * last one spent a part of its reservation.
   */
  ahead(largest: number): number {
    const { aheadSeconds } = this.#options
    if (aheadSeconds === 0) return 0
    const recent = Math.max(this.#window.spent, this.#window.before)
    const forSeconds = Math.ceil((recent / (WINDOW_MS / 1000)) * aheadSeconds)
    return Math.max(forSeconds, this.#lastSpent * REQUESTS_AHEAD, largest)
  }
}
