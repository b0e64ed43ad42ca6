const SLOT_MS = 5_000
const SLOTS = 12
export const WINDOW_MS = SLOT_MS * SLOTS

/** Results of the last minute, in slots of five seconds so that it takes the same little memory however many they are. */
export class SlidingWindow {
  readonly #succeeded = new Uint32Array(SLOTS)
  readonly #failed = new Uint32Array(SLOTS)
  #newest = 0

  record(now: number, outcome: 'succeeded' | 'failed'): void {
    this.#moveTo(now)
    const counts = outcome === 'failed' ? this.#failed : this.#succeeded
    counts[this.#newest % SLOTS]! += 1
  }

  counts(now: number): { succeeded: number; failed: number } {
    this.#moveTo(now)
    return { succeeded: sum(this.#succeeded), failed: sum(this.#failed) }
  }

  clear(): void {
    this.#succeeded.fill(0)
    this.#failed.fill(0)
  }

  /** A clock that was set back leaves the window where it is. */
  #moveTo(now: number): void {
    const slot = Math.floor(now / SLOT_MS)
    for (let stale = Math.max(this.#newest, slot - SLOTS) + 1; stale <= slot; stale += 1) {
      this.#succeeded[stale % SLOTS] = 0
      this.#failed[stale % SLOTS] = 0
    }
    this.#newest = Math.max(this.#newest, slot)
  }
}

function sum(counts: Uint32Array): number {
  let total = 0
  for (const count of counts) total += count
  return total
}
