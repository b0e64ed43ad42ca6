import { setTimeout as delay } from 'node:timers/promises'
import type { api } from '@tidegate/contract'
import { STILL_HERE } from '../../http/send-stream.ts'
import type { UnreadFeed } from './unread-feed.ts'

const PAUSES = {
  /** Readers take a feed that says nothing for fifteen seconds for broken. */
  quietMs: 10_000,
  /** How long a session that ended by its age may go on listening. */
  checkMs: 60_000,
}

export interface Listener {
  userId: number
  /** Whether the caller would still be let in. */
  isWelcome(): Promise<boolean>
  signal: AbortSignal
}

/** The number of unread messages of one user whenever it becomes another, as long as the user is welcome. */
export async function* followUnread(
  feed: UnreadFeed,
  { userId, isWelcome, signal }: Listener,
  { quietMs, checkMs } = PAUSES,
): AsyncGenerator<api.UnreadCount | typeof STILL_HERE> {
  let unread: number | undefined
  let told: number | undefined
  let checkedAt = performance.now()
  let wake = new AbortController()
  const replaced = new AbortController()
  const over = AbortSignal.any([signal, replaced.signal])
  over.addEventListener('abort', () => wake.abort(), { once: true })
  const leave = feed.follow(userId, {
    onCount(count) {
      unread = count
      wake.abort()
    },
    onDoubt() {
      checkedAt = -Infinity
      wake.abort()
    },
    onEnd: () => replaced.abort(),
  })
  try {
    while (!over.aborted) {
      wake = new AbortController()
      if (performance.now() - checkedAt >= checkMs) {
        checkedAt = performance.now()
        if (!(await isWelcome())) return
      }
      if (unread !== undefined && unread !== told) {
        told = unread
        yield { unread_count: told }
      } else if (await quiet(quietMs, wake.signal)) {
        yield STILL_HERE
      }
    }
  } finally {
    leave()
  }
}

async function quiet(milliseconds: number, news: AbortSignal): Promise<boolean> {
  return delay(milliseconds, true, { signal: news }).catch(() => false)
}
