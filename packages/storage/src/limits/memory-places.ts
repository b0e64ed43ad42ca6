import { PLACE_SECONDS, type Place } from './call-limiter.ts'

/** Who holds which place in this process, and until when. Held by calls that run, so there are never too many. */
export function memoryPlaces(now: () => number) {
  const heldUntil = new Map<string, Map<string, number>>()

  return {
    isFull({ key, limit }: Place): boolean {
      const holders = heldUntil.get(key)
      if (!holders || holders.size < limit) return false
      for (const [holder, until] of holders) if (until <= now()) holders.delete(holder)
      return holders.size >= limit
    },
    hold({ key, holder }: Place): void {
      let holders = heldUntil.get(key)
      if (!holders) heldUntil.set(key, (holders = new Map<string, number>()))
      holders.set(holder, now() + PLACE_SECONDS * 1_000)
    },
    free({ key, holder }: Place): void {
      const holders = heldUntil.get(key)
      holders?.delete(holder)
      if (holders?.size === 0) heldUntil.delete(key)
    },
  }
}
