import type { BudgetState, AcquireResult, Limiter, ConcurrencyLease } from '../../src/ports/index.ts'

const RETRY_AFTER_SECONDS = 7

/** Limits in memory. Budgets never refill; calls are counted. */
export class MemoryLimiter implements Limiter {
  readonly used = new Map<string, number>()
  readonly holders = new Map<string, Set<string>>()
  /** Leases that were freed without being held. */
  readonly mistakes: string[] = []
  trips = 0

  acquire({ budgets, lease }: Parameters<Limiter['acquire']>[0]): Promise<AcquireResult> {
    this.trips += 1
    const empty = budgets.find(({ key, limit, cost = 1 }) => this.#used(key) + cost > limit)
    const rejected = empty ? { key: empty.key, retryAfterSeconds: RETRY_AFTER_SECONDS } : this.#noLease(lease)
    for (const { key, cost = 1, standing = false } of budgets) {
      if (!rejected || (standing && !empty?.standing)) this.used.set(key, this.#used(key) + cost)
    }
    if (lease && !rejected) this.#holdersOf(lease).add(lease.holder)
    const states = budgets.map((budget) => this.#state(budget))
    return Promise.resolve(
      rejected ? { allowed: false, ...rejected, budgets: states } : { allowed: true, budgets: states },
    )
  }

  release({ budgets, lease }: Parameters<Limiter['release']>[0]): Promise<BudgetState[]> {
    this.trips += 1
    for (const { key, cost } of budgets) this.used.set(key, this.#used(key) + cost)
    if (lease && !this.#holdersOf(lease).delete(lease.holder)) this.mistakes.push(`${lease.holder} held no lease`)
    return Promise.resolve(budgets.map((budget) => this.#state(budget)))
  }

  /** Leases that are held. */
  get held(): number {
    return [...this.holders.values()].reduce((sum, { size }) => sum + size, 0)
  }

  #used(key: string): number {
    return this.used.get(key) ?? 0
  }

  #holdersOf({ key }: ConcurrencyLease): Set<string> {
    const holders = this.holders.get(key) ?? new Set()
    this.holders.set(key, holders)
    return holders
  }

  #noLease(lease: ConcurrencyLease | undefined) {
    if (!lease || this.#holdersOf(lease).size < lease.limit) return undefined
    return { key: lease.key, retryAfterSeconds: 1 }
  }

  #state({ key, limit, windowSeconds }: { key: string; limit: number; windowSeconds: number }): BudgetState {
    const remaining = Math.max(0, limit - this.#used(key))
    return { key, limit, remaining, resetSeconds: (windowSeconds * (limit - remaining)) / limit }
  }
}
