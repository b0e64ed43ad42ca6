import { cacheLimit } from '@tidegate/contract'
import { LRUCache } from 'lru-cache'
import type { ChangeNotification } from './notifications/change-notifications.ts'

export interface CallerCacheOptions<Caller> {
  /** Finds the owner of a token; undefined when the token is unknown. */
  load(tokenHash: string): Promise<Caller | undefined>
  max?: number
  ttlMs?: number
  /** How long an unknown token is cached. Short, so that a new token works almost immediately. */
  unknownTtlMs?: number
  /** How long a request waits for a reload before the stale caller is used. */
  refreshMs?: number
  /** A monotonic clock, in milliseconds. */
  now?: () => number
}

export interface CallerCache<Caller> {
  /**
   * Concurrent misses for one hash share one load. When a reload fails or is slow, the last known caller is returned.
   */
  get(tokenHash: string): Promise<Caller | undefined>
  invalidate(notification: ChangeNotification): void
  /** Drops everything, for example after a gap in the change notifications. */
  clear(): void
  readonly size: number
}

interface CacheEntry<Caller> {
  caller: Caller | undefined
  /** A change notification arrived during the load, so the value may predate the change. */
  outdated: boolean
  /** The reload takes so long that requests no longer wait for it. */
  slow?: boolean
}

export function callerCache<Caller extends { userId: number }>(
  options: CallerCacheOptions<Caller>,
): CallerCache<Caller> {
  const { load, max = 50_000, ttlMs = 60_000, unknownTtlMs = 5_000, refreshMs = 250 } = options
  const { now = () => performance.now() } = options
  const loading = new Map<string, CacheEntry<Caller>>()
  const hashesByUser = new Map<number, Set<string>>()

  const cache = new LRUCache<string, CacheEntry<Caller>>({
    ...cacheLimit(max),
    ttl: ttlMs,
    ttlResolution: 0,
    noDeleteOnStaleGet: true, // stale entries are served when a reload fails
    perf: { now },
    ignoreFetchAbort: true, // an entry evicted during its load still serves the requests that wait for it
    onInsert: ({ caller }, hash) => {
      if (caller) hashesByUser.set(caller.userId, (hashesByUser.get(caller.userId) ?? new Set()).add(hash))
    },
    disposeAfter: ({ caller }, hash, reason) => {
      if (!caller || reason === 'set') return
      const hashes = hashesByUser.get(caller.userId)
      hashes?.delete(hash)
      if (hashes?.size === 0) hashesByUser.delete(caller.userId)
    },
    fetchMethod: async (hash, known, { options }) => {
      const entry: CacheEntry<Caller> = { caller: undefined, outdated: false }
      loading.set(hash, entry)
      try {
        entry.caller = await load(hash)
      } catch (error) {
        // A database outage must not reject known callers. Credit limits bound what they can spend.
        if (!known || known.outdated || entry.outdated) throw error
        options.ttl = unknownTtlMs
        return known
      } finally {
        loading.delete(hash)
      }
      options.ttl = entry.caller ? ttlMs : unknownTtlMs
      return entry
    },
  })

  async function get(hash: string): Promise<Caller | undefined> {
    const ready = cache.get(hash)
    if (ready && !ready.outdated) return ready.caller
    for (;;) {
      const entry = await reload(hash)
      if (!entry?.outdated) return entry?.caller
      if (cache.peek(hash, { allowStale: true }) === entry) cache.delete(hash)
    }
  }

  /** A slow database must not delay known callers, unless a change notification invalidated them. */
  async function reload(hash: string): Promise<CacheEntry<Caller> | undefined> {
    const known = cache.peek(hash, { allowStale: true })
    const reloaded = cache.fetch(hash)
    if (!known?.caller || known.outdated) return reloaded
    reloaded.catch(() => {}) // a request that got the stale caller ignores the result
    const reading = loading.get(hash)
    if (!reading) return reloaded
    if (!reading.slow) {
      let timer: NodeJS.Timeout | undefined
      const isSlow = new Promise<true>((resolve) => (timer = setTimeout(resolve, refreshMs, true)))
      const first = await Promise.race([isSlow, reloaded]).finally(() => clearTimeout(timer))
      if (first !== true) return first
      reading.slow = true
    }
    return reading.outdated ? reloaded : known
  }

  /**
   * Deleting an entry during its load would not stop the load from storing its result, so the load is marked instead.
   */
  function forget(hash: string): void {
    const loadingEntry = loading.get(hash)
    if (loadingEntry) loadingEntry.outdated = true
    else cache.delete(hash)
  }

  function forgetUser(userId: number): void {
    for (const hash of hashesByUser.get(userId) ?? []) forget(hash)
    markLoading() // the owners of tokens that are still loading are unknown
  }

  function markLoading(): void {
    for (const entry of loading.values()) entry.outdated = true
  }

  return {
    get,
    invalidate(notification) {
      if (notification.kind !== 'caller') return
      if (notification.tokenHash !== undefined) forget(notification.tokenHash)
      if (notification.userId !== undefined) forgetUser(notification.userId)
    },
    clear() {
      Array.from(cache.keys()).forEach(forget)
      markLoading()
    },
    get size() {
      return cache.size
    },
  }
}
