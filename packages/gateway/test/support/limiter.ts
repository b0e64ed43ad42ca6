import type { BudgetState, AcquireResult, Limiter, ConcurrencySlot } from '../../src/ports/index.ts'

const RETRY_AFTER_SECONDS = 7

/** Limits in memory. Budgets never refill; calls are counted. */
export class MemoryLimiter implements Limiter {
  readonly used = new Map<string, number>()
  readonly holders = new Map<string, Set<string>>()
  /** Slots that were freed without being held. */
  readonly mistakes: string[] = []
  trips = 0

  acquire({ budgets, slot }: Parameters<Limiter['acquire']>[0]): Promise<AcquireResult> {
    this.trips += 1
    const empty = budgets.find(({ key, limit, cost = 1 }) => this.#used(key) + cost > limit)
    const rejected = empty ? { key: empty.key, retryAfterSeconds: RETRY_AFTER_SECONDS } : this.#noSlot(slot)
    for (const { key, cost = 1, standing = false } of budgets) {
      if (!rejected || (standing && !empty?.standing)) this.used.set(key, this.#used(key) + cost)
    }
    if (slot && !rejected) this.#holdersOf(slot).add(slot.holder)
    const states = budgets.map((budget) => this.#state(budget))
    return Promise.resolve(
      rejected ? { allowed: false, ...rejected, budgets: states } : { allowed: true, budgets: states },
    )
  }

  release({ budgets, slot }: Parameters<Limiter['release']>[0]): Promise<BudgetState[]> {
    this.trips += 1
    for (const { key, cost } of budgets) this.used.set(key, this.#used(key) + cost)
    if (slot && !this.#holdersOf(slot).delete(slot.holder)) this.mistakes.push(`${slot.holder} held no slot`)
    return Promise.resolve(budgets.map((budget) => this.#state(budget)))
  }

  /** Slots that are held. */
  get held(): number {
    return [...this.holders.values()].reduce((sum, { size }) => sum + size, 0)
  }

  #used(key: string): number {
    return this.used.get(key) ?? 0
  }

  #holdersOf({ key }: ConcurrencySlot): Set<string> {
    const holders = this.holders.get(key) ?? new Set()
    this.holders.set(key, holders)
    return holders
  }

  #noSlot(slot: ConcurrencySlot | undefined) {
    if (!slot || this.#holdersOf(slot).size < slot.limit) return undefined
    return { key: slot.key, retryAfterSeconds: 1 }
  }

  #state({ key, limit, windowSeconds }: { key: string; limit: number; windowSeconds: number }): BudgetState {
    const remaining = Math.max(0, limit - this.#used(key))
    return { key, limit, remaining, resetSeconds: (windowSeconds * (limit - remaining)) / limit }
  }
}
