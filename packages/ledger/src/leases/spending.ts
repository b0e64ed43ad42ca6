interface SpendingOptions {
  now(): number
  aheadSeconds: number
}

const WINDOW_MS = 2_000
/** A lease covers this many requests like the last one: an account with a request every few seconds needs few trips. */
const REQUESTS_AHEAD = 8

/** How fast an account spends, which decides how much of it is leased ahead. */
export class Spending {
  readonly #options: SpendingOptions
  /** Spending in the current and the previous window: two numbers instead of a history. */
  #window = { start: 0, spent: 0, before: 0 }
  /** The cost of the last request that cost something. */
  #lastSpent = 0

  constructor(options: SpendingOptions) {
    this.#options = options
  }

  add(spent: number): void {
    const now = this.#options.now()
    const passed = now - this.#window.start
    if (passed >= WINDOW_MS) {
      this.#window = { start: now, spent: 0, before: passed < 2 * WINDOW_MS ? this.#window.spent : 0 }
    }
    this.#window.spent += spent
    if (spent > 0) this.#lastSpent = spent
  }

  /**
   * What to lease beyond the requests that wait now: recent spending for the time a lease should last, the cost of some
   * requests, or room to reserve the largest of them once more. Without that room, the next request would need a trip
   * because the last one spent a little of what it had reserved.
   */
  ahead(largest: number): number {
    const { aheadSeconds } = this.#options
    if (aheadSeconds === 0) return 0
    const recent = Math.max(this.#window.spent, this.#window.before)
    const forSeconds = Math.ceil((recent / (WINDOW_MS / 1000)) * aheadSeconds)
    return Math.max(forSeconds, this.#lastSpent * REQUESTS_AHEAD, largest)
  }
}
