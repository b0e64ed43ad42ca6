import { type ConcurrencyLease, LEASE_SECONDS } from './limiter.ts'

/** Concurrency leases by key and holder, with their expiry. Bounded by the number of running requests. */
export function memoryLeases(now: () => number) {
  const heldUntil = new Map<string, Map<string, number>>()

  return {
    available({ key, limit }: Pick<ConcurrencyLease, 'key' | 'limit'>): number {
      const holders = heldUntil.get(key)
      if (!holders) return limit
      if (holders.size >= limit) {
        for (const [holder, until] of holders) if (until <= now()) holders.delete(holder)
      }
      return Math.max(0, limit - holders.size)
    },
    hold({ key, holder }: Pick<ConcurrencyLease, 'key' | 'holder'>): void {
      let holders = heldUntil.get(key)
      if (!holders) heldUntil.set(key, (holders = new Map<string, number>()))
      holders.set(holder, now() + LEASE_SECONDS * 1_000)
    },
    free({ key, holder }: Pick<ConcurrencyLease, 'key' | 'holder'>): void {
      const holders = heldUntil.get(key)
      holders?.delete(holder)
      if (holders?.size === 0) heldUntil.delete(key)
    },
  }
}
