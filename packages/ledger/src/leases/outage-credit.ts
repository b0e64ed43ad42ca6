/**
 * What users may spend beyond their leases while the database is away. It ends for a user when the database gives credit
 * again. What the account cannot pay then is recorded as uncovered.
 */
export class OutageCredit {
  readonly #limit: () => number
  readonly #used: Map<number, number>

  /** `used` is what a process before this one gave in the same outage. */
  constructor(limit: () => number, used: ReadonlyMap<number, number> = new Map()) {
    this.#limit = limit
    this.#used = new Map(used)
  }

  get isOffered(): boolean {
    return this.#limit() > 0
  }

  /** Returns the amount, or at least the minimum, or 0. */
  take(userId: number, { amount, minimum }: { amount: number; minimum: number }): number {
    const used = this.#used.get(userId) ?? 0
    const taken = Math.min(amount, this.#limit() - used)
    if (taken <= 0 || taken < minimum) return 0
    this.#used.set(userId, used + taken)
    return taken
  }

  giveBack(userId: number, amount: number): void {
    const left = (this.#used.get(userId) ?? 0) - amount
    if (left > 0) this.#used.set(userId, left)
    else this.#used.delete(userId)
  }

  /** The database has given credit of the user. */
  end(userId: number): void {
    this.#used.delete(userId)
  }
}
