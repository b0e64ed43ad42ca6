import { setTimeout as delay } from 'node:timers/promises'
import { type api, logEvent } from '@tidegate/contract'
import { inbox, type ChangeNotification } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { KEEP_ALIVE } from '../../http/send-stream.ts'

export interface Follower {
  onCount(unread: number): void
  /** Sessions of the user changed; check access again. */
  onSessionChange(): void
  /** Replaced by newer connections. */
  onReplaced(): void
}

export interface UnreadFeed {
  /** Reports the unread count soon, and whenever it may have changed. Returns a function to unsubscribe. */
  follow(userId: number, follower: Follower): () => void
  stop(): void
}

/** Changes within this time are read together: a message to all users causes many change notifications. */
const BATCH_DELAY_MS = 50
const AFTER_FAILURE_MS = 2000
/** Connections per user and node; older ones are considered abandoned. */
const MAX_PER_USER = 20

/** Follows the inboxes of all connected users: one query for many, none without changes. */
export function createUnreadFeed({ db, listener, log }: Pick<Deps, 'db' | 'listener' | 'log'>): UnreadFeed {
  const followers = new Map<number, Set<Follower>>()
  const changed = new Set<number>()
  let timer: NodeJS.Timeout | undefined
  let isReading = false

  function lookUp(userIds: Iterable<number>, waitMs = BATCH_DELAY_MS): void {
    for (const id of userIds) if (followers.has(id)) changed.add(id)
    if (changed.size > 0 && !isReading) timer ??= setTimeout(() => void read(), waitMs)
  }

  async function read(): Promise<void> {
    timer = undefined
    const ids = [...changed].filter((id) => followers.has(id))
    changed.clear()
    if (ids.length === 0) return
    isReading = true
    let failed = false
    try {
      for (const [id, unread] of await inbox.unreadCounts(db, ids)) {
        for (const follower of followers.get(id) ?? []) follower.onCount(unread)
      }
    } catch (error) {
      failed = true
      logEvent(log, 'message.unread_count_failed', { err: error })
    }
    isReading = false
    lookUp(failed ? ids : [], failed ? AFTER_FAILURE_MS : BATCH_DELAY_MS)
  }

  function onChange(notification: ChangeNotification): void {
    if (notification.kind === 'inbox') lookUp(usersBetween(followers, notification))
    const isSessionChange = notification.kind === 'session' || notification.kind === 'caller'
    if (isSessionChange && notification.userId !== undefined) notifySessionChange(notification.userId)
  }

  function notifySessionChange(userId: number): void {
    for (const follower of followers.get(userId) ?? []) follower.onSessionChange()
  }

  const unsubscribe = listener.subscribe({
    onNotification: onChange,
    onGap() {
      lookUp(followers.keys())
      for (const id of followers.keys()) notifySessionChange(id)
    },
  })

  return {
    follow(userId, follower) {
      const own = followers.get(userId) ?? new Set()
      followers.set(userId, own)
      own.add(follower)
      if (own.size > MAX_PER_USER) endOldest(own)
      lookUp([userId])
      return () => {
        own.delete(follower)
        if (own.size === 0 && followers.get(userId) === own) followers.delete(userId)
      }
    },
    stop() {
      unsubscribe()
      followers.clear()
      clearTimeout(timer)
    },
  }
}

function endOldest(own: Set<Follower>): void {
  const [oldest] = own
  if (!oldest) return
  own.delete(oldest)
  oldest.onReplaced()
}

function* usersBetween(followers: ReadonlyMap<number, unknown>, { from, to }: { from: number; to: number }) {
  for (const id of followers.keys()) if (id >= from && id <= to) yield id
}

const INTERVALS = {
  /** Clients treat a feed as broken after fifteen silent seconds. */
  quietMs: 10_000,
  /** How long an expired session may keep its stream. */
  checkMs: 60_000,
}

interface UnreadListener {
  userId: number
  /** Whether the caller still has access. */
  isAllowed(): Promise<boolean>
  signal: AbortSignal
}

/** Yields the unread count of a user when it changes, while the user has access. */
export async function* followUnread(
  feed: UnreadFeed,
  { userId, isAllowed, signal }: UnreadListener,
  { quietMs, checkMs } = INTERVALS,
): AsyncGenerator<api.UnreadCount | typeof KEEP_ALIVE> {
  let unread: number | undefined
  let sent: number | undefined
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
    onSessionChange() {
      checkedAt = -Infinity
      wake.abort()
    },
    onReplaced: () => replaced.abort(),
  })
  try {
    while (!over.aborted) {
      wake = new AbortController()
      if (performance.now() - checkedAt >= checkMs) {
        checkedAt = performance.now()
        if (!(await isAllowed())) return
      }
      if (unread !== undefined && unread !== sent) {
        sent = unread
        yield { unread_count: sent }
      } else if (await waitForChange(quietMs, wake.signal)) {
        yield KEEP_ALIVE
      }
    }
  } finally {
    leave()
  }
}

async function waitForChange(milliseconds: number, change: AbortSignal): Promise<boolean> {
  return delay(milliseconds, true, { signal: change }).catch(() => false)
}
