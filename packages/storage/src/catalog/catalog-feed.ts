import { logEvent, type Log } from '@tidegate/contract'
import type { Db } from '../connection/connect.ts'
import type { SharedListener } from '../notifications/shared-listener.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Catalog } from './catalog.ts'
import { readCatalogVersion } from './catalog-version.ts'
import { loadCatalog } from './load-catalog.ts'

export interface CatalogFeedOptions {
  db: Db
  vault: Vault
  listener: Pick<SharedListener, 'subscribe'>
  log?: Log
  /** The catalog to begin with, for a process that starts without the database. */
  initial?: Catalog
  /** How often the version is polled, in case a change notification was lost. */
  pollMs?: number
}

export interface CatalogFeed {
  current(): Catalog
  /** Resolves with the first snapshot of at least this version; rejects after the timeout. */
  whenVersion(version: number, timeoutMs?: number): Promise<Catalog>
  /** Returns a function that unsubscribes. */
  onChange(listener: (catalog: Catalog) => void): () => void
  stop(): Promise<void>
}

/** Loads the catalog and keeps it up to date. When a reload fails, the last snapshot stays in use. */
export async function startCatalogFeed(options: CatalogFeedOptions): Promise<CatalogFeed> {
  const { db, vault, listener: source, log, pollMs = 1_500 } = options
  const listeners = new Set<(catalog: Catalog) => void>()
  let stopped = false
  let catalog = options.initial ?? (await loadCatalog(db, vault, log))
  /** The load in progress, and whether the catalog changed again since it started. */
  let loading: Promise<void> | undefined
  let changedAgain = false

  async function load(): Promise<void> {
    try {
      do {
        changedAgain = false
        const next = await loadCatalog(db, vault, log)
        if (stopped) return
        if (next.version === catalog.version) continue
        catalog = next
        for (const listener of listeners) listener(next)
      } while (changedAgain)
    } catch (error) {
      if (!stopped) logEvent(log, 'catalog.reload_failed', { err: error, version: catalog.version })
    } finally {
      loading = undefined
    }
  }

  function reload(): void {
    if (stopped) return
    changedAgain = true
    loading ??= load()
  }

  async function poll(): Promise<void> {
    try {
      // Compares for inequality: after a restore the version may be lower.
      if ((await readCatalogVersion(db)) !== catalog.version) reload()
    } catch (error) {
      if (!stopped) logEvent(log, 'catalog.version_unreadable', { err: error })
    }
  }

  let polling: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout
  function pollIn(ms: number): void {
    timer = setTimeout(() => {
      polling = poll().then(() => {
        if (!stopped) pollIn(pollMs)
      })
    }, ms)
  }

  const unsubscribe = source.subscribe({
    onNotification: (notification) => {
      if (notification.kind === 'catalog' && notification.version > catalog.version) reload()
    },
    onGap: () => void poll(),
  })
  pollIn(0) // catches changes between the first load and the subscription

  return {
    current: () => catalog,
    whenVersion(version, timeoutMs = 5_000) {
      if (catalog.version >= version) return Promise.resolve(catalog)
      return new Promise((resolve, reject) => {
        const timeout = setTimeout(() => {
          listeners.delete(check)
          reject(new Error(`catalog version ${version} did not arrive within ${timeoutMs} ms`))
        }, timeoutMs)
        function check(next: Catalog): void {
          if (next.version < version) return
          clearTimeout(timeout)
          listeners.delete(check)
          resolve(next)
        }
        listeners.add(check)
        reload()
      })
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      unsubscribe()
      await Promise.all([polling, loading])
    },
  }
}
