import type { LeaseOrder } from './budget-source.ts'
import { type ConcurrencyLease, LEASE_SECONDS } from './limiter.ts'

/** One process holds at most this share of a limit unused, divided by the number of processes. */
const UNUSED_SHARE = 1 / 8
/** Three attempts before a lease expires. */
const RENEW_MS = (LEASE_SECONDS * 1_000) / 3

/**
 * Concurrency leases of one key that this process holds. A request that ends leaves its lease to the next one, without a
 * trip to the source.
 */
export class LeasePool {
  readonly key: string
  limit: number
  trip: Promise<void> | undefined
  readonly #free: string[] = []
  readonly #used = new Set<string>()
  /** The fewest free leases since the last sweep: no request needed these. */
  #fewestFree = 0
  #renewedMs = -Infinity

  constructor({ key, limit }: Pick<ConcurrencyLease, 'key' | 'limit'>) {
    this.key = key
    this.limit = limit
  }

  get isEmpty(): boolean {
    return this.#free.length === 0 && this.#used.size === 0
  }

  /** Free leases that were not renewed in time may belong to other processes by now. */
  hasFree(nowMs: number): boolean {
    if (nowMs - this.#renewedMs > LEASE_SECONDS * 1_000 - RENEW_MS) this.#free.length = 0
    return this.#free.length > 0
  }

  take(): string {
    const holder = this.#free.pop()!
    this.#used.add(holder)
    this.#fewestFree = Math.min(this.#fewestFree, this.#free.length)
    return holder
  }

  /** Returns the leases that are too many to keep for later requests. */
  putBack(holder: string, processes: number): ConcurrencyLease[] {
    if (!this.#used.delete(holder)) return []
    this.#free.push(holder)
    return this.#remove(this.#free.length - this.#mostUnused(processes))
  }

  order(need: number, processes: number, prefix: string): LeaseOrder {
    const extra = Math.min(this.#used.size, this.#mostUnused(processes))
    return { key: this.key, limit: this.limit, prefix, least: 1, need, extra }
  }

  receive(taken: number, prefix: string, sentMs: number): void {
    if (this.isEmpty) this.#renewedMs = sentMs
    for (let index = 1; index <= taken; index++) this.#free.push(`${prefix}${index}`)
  }

  /** The free leases that no request has needed since the last sweep. */
  sweep(): ConcurrencyLease[] {
    const unneeded = this.#remove(this.#fewestFree)
    this.#fewestFree = this.#free.length
    return unneeded
  }

  removeFree(): ConcurrencyLease[] {
    return this.#remove(this.#free.length)
  }

  /** All leases, if they have to be renewed now. */
  leasesToRenew(nowMs: number): ConcurrencyLease[] {
    if (nowMs - this.#renewedMs < RENEW_MS) return []
    return [...this.#free, ...this.#used].map((holder) => this.#leaseOf(holder))
  }

  renewed(atMs: number): void {
    this.#renewedMs = atMs
  }

  #mostUnused(processes: number): number {
    return Math.floor((this.limit * UNUSED_SHARE) / processes)
  }

  #remove(count: number): ConcurrencyLease[] {
    const removed = this.#free.splice(0, Math.max(0, count))
    this.#fewestFree = Math.min(this.#fewestFree, this.#free.length)
    return removed.map((holder) => this.#leaseOf(holder))
  }

  #leaseOf(holder: string): ConcurrencyLease {
    return { key: this.key, limit: this.limit, holder }
  }
}
