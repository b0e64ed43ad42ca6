import { setTimeout as delay } from 'node:timers/promises'
import type { api } from '@tidegate/contract'
import { inbox, type Notice } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { STILL_HERE } from '../../http/send-stream.ts'

export interface Follower {
  onCount(unread: number): void
  /** Sessions of the user changed: look whether this one still stands. */
  onDoubt(): void
  /** Others took its place. */
  onEnd(): void
}

export interface UnreadFeed {
  /** Tells the number of unread messages soon, and each time it may have changed. Answers the way to leave. */
  follow(userId: number, follower: Follower): () => void
  stop(): void
}

/** Changes within this time are looked up together: a message to everybody comes as many notices. */
const GATHER_MS = 50
const AFTER_FAILURE_MS = 2000
/** Tabs of one user on one node. More are taken for ones that were left behind. */
const MOST_PER_USER = 20

/** Follows the inboxes of all who are connected to this node: one query for many of them, and none while all is quiet. */
export function createUnreadFeed({ db, notices, log }: Pick<Deps, 'db' | 'notices' | 'log'>): UnreadFeed {
  const followers = new Map<number, Set<Follower>>()
  const changed = new Set<number>()
  let timer: NodeJS.Timeout | undefined
  let isReading = false

  function lookUp(userIds: Iterable<number>, waitMs = GATHER_MS): void {
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
      log.warn({ err: error }, 'unread messages could not be counted')
    }
    isReading = false
    lookUp(failed ? ids : [], failed ? AFTER_FAILURE_MS : GATHER_MS)
  }

  function onNotice(notice: Notice): void {
    if (notice.kind === 'inbox') lookUp(usersBetween(followers, notice))
    const isDoubt = notice.kind === 'session' || notice.kind === 'caller'
    if (isDoubt && notice.userId !== undefined) doubt(notice.userId)
  }

  function doubt(userId: number): void {
    for (const follower of followers.get(userId) ?? []) follower.onDoubt()
  }

  const unsubscribe = notices.subscribe({
    onNotice,
    onGap() {
      lookUp(followers.keys())
      for (const id of followers.keys()) doubt(id)
    },
  })

  return {
    follow(userId, follower) {
      const own = followers.get(userId) ?? new Set()
      followers.set(userId, own)
      own.add(follower)
      if (own.size > MOST_PER_USER) endOldest(own)
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
  oldest.onEnd()
}

function* usersBetween(followers: ReadonlyMap<number, unknown>, { from, to }: { from: number; to: number }) {
  for (const id of followers.keys()) if (id >= from && id <= to) yield id
}

const PAUSES = {
  /** Readers take a feed that says nothing for fifteen seconds for broken. */
  quietMs: 10_000,
  /** How long a session that ended by its age may go on listening. */
  checkMs: 60_000,
}

interface Listener {
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
