import { cacheLimit } from '@tidegate/contract'
import { LRUCache } from 'lru-cache'
import type { ChangeNotification } from './notifications/change-notifications.ts'

export interface CallerCacheOptions<Caller> {
  /** Finds the owner of a token; undefined when the token is unknown. */
  load(tokenHash: string): Promise<Caller | undefined>
  /** The same for several tokens in one query. Unknown tokens are missing from the result. */
  loadMany(tokenHashes: readonly string[]): Promise<ReadonlyMap<string, Caller>>
  max?: number
  ttlMs?: number
  /** How long an unknown token is cached. Short, so that a new token works almost immediately. */
  unknownTtlMs?: number
  /** How long a request waits for a reload before the stale caller is used. */
  refreshMs?: number
  /** How long a known caller is served while it cannot be reloaded. */
  outageMs?: number
  /** A monotonic clock, in milliseconds. */
  now?: () => number
  /** Between 0 and 1. */
  random?: () => number
}

export interface CallerCache<Caller> {
  /**
   * Concurrent misses for one hash share one load. When a reload fails or is slow, the last known caller is returned.
   */
  get(tokenHash: string): Promise<Caller | undefined>
  invalidate(notification: ChangeNotification): void
  /**
   * Notifications may have been missed: reloads all known callers in the background and serves them meanwhile. Resolves
   * when they are reloaded.
   */
  recheckAll(): Promise<void>
  /** Ends the reload in the background. */
  stop(): void
  /** Callers that are served while they cannot be reloaded. */
  known(): KnownCaller<Caller>[]
  /** Adds callers that another process knew, and reloads them in the background. */
  restore(known: readonly KnownCaller<Caller>[]): void
  /** Grows when a caller becomes known, or is forgotten. */
  readonly changes: number
  readonly size: number
}

/** Callers per query of a reload in the background. */
const RECHECK_BATCH = 500
/** Processes that lost the database together start their reloads within this time. */
const RECHECK_SPREAD_MS = 2_000
/** The pause after each query of such a reload. It grows while the queries fail. */
const RECHECK_PAUSE_MS = 100
const MAX_RECHECK_PAUSE_MS = 4_000

/** A caller, and how long ago it was loaded. */
export interface KnownCaller<Caller> {
  readonly tokenHash: string
  readonly caller: Caller
  readonly ageMs: number
}

interface CacheEntry<Caller> {
  caller: Caller | undefined
  /** When its load began. */
  readonly readAt: number
  /** A change notification arrived during the load, so the value may predate the change. */
  outdated: boolean
  /** The reload takes so long that requests no longer wait for it. */
  slow?: boolean
}

export function callerCache<Caller extends { userId: number }>(
  options: CallerCacheOptions<Caller>,
): CallerCache<Caller> {
  const { load, max = 50_000, ttlMs = 60_000, unknownTtlMs = 5_000, refreshMs = 250 } = options
  const { now = () => performance.now(), loadMany, outageMs = 600_000, random = Math.random } = options
  const loading = new Map<string, CacheEntry<Caller>>()
  const hashesByUser = new Map<number, Set<string>>()
  let changes = 0

  const cache = new LRUCache<string, CacheEntry<Caller>>({
    ...cacheLimit(max),
    ttl: ttlMs,
    ttlResolution: 0,
    noDeleteOnStaleGet: true, // stale entries are served when a reload fails
    perf: { now },
    ignoreFetchAbort: true, // an entry evicted during its load still serves the requests that wait for it
    onInsert: ({ caller }, hash) => {
      if (!caller) return
      const hashes = hashesByUser.get(caller.userId) ?? new Set()
      if (!hashes.has(hash)) changes += 1
      hashesByUser.set(caller.userId, hashes.add(hash))
    },
    disposeAfter: ({ caller }, hash, reason) => {
      if (!caller || reason === 'set') return
      changes += 1
      const hashes = hashesByUser.get(caller.userId)
      hashes?.delete(hash)
      if (hashes?.size === 0) hashesByUser.delete(caller.userId)
    },
    fetchMethod: async (hash, known, { options }) => {
      const entry = newEntry()
      loading.set(hash, entry)
      try {
        entry.caller = await load(hash)
      } catch (error) {
        // A database outage must not reject known callers. Credit limits bound what they can spend.
        if (!known || !isServable(known) || entry.outdated) throw error
        options.ttl = unknownTtlMs
        void recheck([hash])
        return known
      } finally {
        loading.delete(hash)
      }
      options.ttl = entry.caller ? ttlMs : unknownTtlMs
      return entry
    },
  })

  const newEntry = (): CacheEntry<Caller> => ({ caller: undefined, readAt: now(), outdated: false })

  /** An unknown token is not: it may have been created since. */
  const isServable = (entry: CacheEntry<Caller>) =>
    entry.caller !== undefined && !entry.outdated && now() - entry.readAt <= outageMs

  async function get(hash: string): Promise<Caller | undefined> {
    const ready = cache.get(hash)
    if (ready && !ready.outdated) return ready.caller
    if (rechecking) {
      const known = cache.peek(hash, { allowStale: true })
      if (known && isServable(known)) {
        suspects.add(hash)
        return known.caller
      }
    }
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
    if (!known || !isServable(known)) return reloaded
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
    const rechecked = reloading.get(hash)
    if (rechecked) rechecked.outdated = true
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

  /** Callers to reload in the background. */
  const suspects = new Set<string>()
  const reloading = new Map<string, CacheEntry<Caller>>()
  let timer: NodeJS.Timeout | undefined
  let rechecking: Promise<void> | undefined

  function recheck(hashes: Iterable<string>): Promise<void> {
    for (const hash of hashes) suspects.add(hash)
    rechecking ??= reloadSuspects().finally(() => (rechecking = undefined))
    return rechecking
  }

  async function reloadSuspects(): Promise<void> {
    let pause = random() * RECHECK_SPREAD_MS
    let isFailing = false
    do {
      await new Promise((resolve) => (timer = setTimeout(resolve, pause)))
      const batch = Array.from(suspects).slice(0, RECHECK_BATCH)
      try {
        await reloadBatch(batch)
        for (const hash of batch) suspects.delete(hash)
        pause = RECHECK_PAUSE_MS
        isFailing = false
      } catch {
        pause = isFailing ? Math.min(pause * 2, MAX_RECHECK_PAUSE_MS) : RECHECK_PAUSE_MS * (1 + random())
        isFailing = true
      }
    } while (suspects.size > 0)
  }

  async function reloadBatch(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) reloading.set(hash, newEntry())
    try {
      const callers = await loadMany(hashes)
      for (const hash of hashes) {
        const entry = reloading.get(hash)!
        const known = cache.peek(hash, { allowStale: true })
        if (!known || entry.outdated || loading.has(hash)) continue // forgotten, or reloaded for a request
        entry.caller = callers.get(hash)
        cache.set(hash, entry, { ttl: entry.caller ? ttlMs : unknownTtlMs })
      }
    } finally {
      for (const hash of hashes) reloading.delete(hash)
    }
  }

  return {
    get,
    invalidate(notification) {
      if (notification.kind !== 'caller') return
      if (notification.tokenHash !== undefined) forget(notification.tokenHash)
      if (notification.userId !== undefined) forgetUser(notification.userId)
    },
    recheckAll() {
      for (const [hash, { caller }] of Array.from(cache.entries())) if (!caller) forget(hash)
      markLoading()
      return recheck(cache.keys())
    },
    stop: () => clearTimeout(timer),
    known() {
      const known: KnownCaller<Caller>[] = []
      for (const tokenHash of [...hashesByUser.values()].flatMap((hashes) => [...hashes])) {
        const entry = cache.peek(tokenHash, { allowStale: true })
        if (!entry?.caller || !isServable(entry)) continue
        known.push({ tokenHash, caller: entry.caller, ageMs: now() - entry.readAt })
      }
      return known
    },
    restore(known) {
      for (const { tokenHash, caller, ageMs } of known) {
        if (cache.has(tokenHash)) continue
        const entry = { caller, readAt: now() - ageMs, outdated: false }
        if (isServable(entry)) cache.set(tokenHash, entry, { ttl: ttlMs, start: now() - ttlMs - 1 })
      }
      void recheck(known.map(({ tokenHash }) => tokenHash))
    },
    get changes() {
      return changes
    },
    get size() {
      return cache.size
    },
  }
}
