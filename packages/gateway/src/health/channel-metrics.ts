import type { FailureClass } from '@tidegate/providers'
import { cacheLimit } from '@tidegate/contract'
import { LRUCache } from 'lru-cache'

/** The results of a channel within one minute. */
export interface ChannelMinute {
  readonly channelId: number
  /** Start of the minute, in milliseconds since 1970. */
  readonly minute: number
  succeeded: number
  failed: number
  /** Sum over all successful attempts. */
  totalMs: number
  /** Sum over the attempts that have a time to first token. */
  firstTokenMs: number
  firstTokens: number
}

export interface AttemptSample {
  readonly outcome: 'served' | FailureClass
  readonly milliseconds: number
  readonly firstTokenMs?: number
}

export interface ChannelMetrics {
  add(channelId: number, entry: AttemptSample): void
  /** Returns the results since the last call. */
  take(): readonly Readonly<ChannelMinute>[]
}

const MINUTE_MS = 60_000
/** Beyond this, the oldest are dropped: the database may be unavailable for long. */
const MAX_ROWS = 20_000

/** Sums up results per channel and minute until they are collected. Client errors do not count. */
export function createChannelMetrics({ now }: { now(): number }): ChannelMetrics {
  const rows = new LRUCache<string, ChannelMinute>(cacheLimit(MAX_ROWS))

  function rowOf(channelId: number): ChannelMinute {
    const minute = Math.floor(now() / MINUTE_MS) * MINUTE_MS
    const id = `${channelId} ${minute}`
    const row = rows.peek(id)
    if (row) return row
    const begun = { channelId, minute, succeeded: 0, failed: 0, totalMs: 0, firstTokenMs: 0, firstTokens: 0 }
    rows.set(id, begun)
    return begun
  }

  return {
    add(channelId, { outcome, milliseconds, firstTokenMs }) {
      if (outcome === 'client') return
      const row = rowOf(channelId)
      if (outcome !== 'served') {
        row.failed += 1
        return
      }
      row.succeeded += 1
      row.totalMs += milliseconds
      if (firstTokenMs === undefined) return
      row.firstTokenMs += firstTokenMs
      row.firstTokens += 1
    },
    take() {
      const minutes = [...rows.rvalues()].filter((row) => row !== undefined)
      rows.clear()
      return minutes
    },
  }
}

const SLOT_MS = 5_000
const SLOTS = 12
export const WINDOW_MS = SLOT_MS * SLOTS

/** Results of the last minute in slots of five seconds: the memory does not depend on the number of results. */
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

  /** The window does not move when the clock is set back. */
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
