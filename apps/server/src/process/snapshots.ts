import { join } from 'node:path'
import { logEvent } from '@tidegate/contract'
import type { CallerRecord } from '@tidegate/gateway'
import {
  type CatalogFeed,
  type CatalogRows,
  isUnavailable,
  type KnownCaller,
  migrations,
  readCatalogRows,
  readKeyRows,
  snapshotFile,
  type SnapshotFile,
  type Vault,
} from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import type { Storage } from './open-storage.ts'

type CallerList = readonly KnownCaller<CallerRecord>[]

/** What a process needs to start without the database. */
export interface SiteSnapshots {
  /** Shared by all processes of the data directory. */
  readonly catalog: SnapshotFile<CatalogRows>
  /** The callers that this process knows, or the process before it. */
  readonly callers: SnapshotFile<CallerList>
}

export function openSnapshots(
  { TIDEGATE_DATA_DIR, PORT }: Pick<Environment, 'TIDEGATE_DATA_DIR' | 'PORT'>,
  { vault, log, slot = `port-${PORT}` }: { vault: Vault; log: Logger; slot?: string | undefined },
): SiteSnapshots {
  const common = { schema: Object.keys(migrations).toSorted().at(-1)!, vault, log }
  const pathOf = (name: string) => join(TIDEGATE_DATA_DIR, 'snapshot', name)
  return {
    catalog: snapshotFile({ ...common, path: pathOf('catalog'), content: 'catalog' }),
    callers: snapshotFile({ ...common, path: pathOf(`callers-${slot}`), content: `callers ${slot}` }),
  }
}

/** The callers of the snapshot, as old as they are now. */
export async function readKnownCallers({ callers }: SiteSnapshots): Promise<CallerList> {
  const snapshot = await callers.read()
  if (!snapshot) return []
  const age = Math.max(0, Date.now() - snapshot.at)
  return snapshot.parts.flat().map((known) => ({ ...known, ageMs: known.ageMs + age }))
}

/** The parts of a process that its snapshots are made from. */
interface SnapshotSource {
  readonly storage: Pick<Storage, 'database'>
  readonly feed: Pick<CatalogFeed, 'current'>
  readonly snapshots: SiteSnapshots
  readonly log: Logger
}

const QUERY_MS = 5_000
const CALLERS_PER_PART = 500
/** Also without a change: a snapshot of a day ago is not used. */
const CATALOG_REFRESH_MS = 30 * 60_000
/** Also without a change of the set: each caller was loaded again meanwhile. */
const CALLERS_REFRESH_MS = 60_000

/** Writes the catalog after each change. */
export function keepCatalogSnapshot(node: SnapshotSource): () => Promise<void> {
  const { catalog: file } = node.snapshots
  const db = node.storage.database.withDeadline(QUERY_MS)
  return repeatAfterChanges(node, {
    version: () => node.feed.current().version,
    refreshMs: CATALOG_REFRESH_MS,
    async write() {
      const written = await file.head()
      const isCurrent = written && written.version === node.feed.current().version
      if (isCurrent && Date.now() - written.at < CATALOG_REFRESH_MS) return 0 // by another process
      const at = Date.now()
      const rows = await readCatalogRows(db)
      const { version, secretKeys } = rows
      return file.write({ at, version, secretKeys, parts: [() => rows] })
    },
  })
}

interface CallerSource {
  known(): CallerList
  changes(): number
}

/** Writes the known callers when one is added or forgotten, and once a minute. */
export function keepCallersSnapshot(node: SnapshotSource, callers: CallerSource): () => Promise<void> {
  const { callers: file } = node.snapshots
  const db = node.storage.database.withDeadline(QUERY_MS)
  let secretKeys: Awaited<ReturnType<typeof readKeyRows>> | undefined
  return repeatAfterChanges(node, {
    version: callers.changes,
    refreshMs: CALLERS_REFRESH_MS,
    async write() {
      // A revoked token is removed from the snapshot also while the database is away.
      secretKeys = await readKeyRows(db).catch((error: unknown) => {
        if (secretKeys) return secretKeys
        throw error
      })
      const at = Date.now()
      const version = callers.changes()
      const known = callers.known()
      const parts = Array.from({ length: Math.ceil(known.length / CALLERS_PER_PART) }, (_, index) => {
        const from = index * CALLERS_PER_PART
        return () => known.slice(from, from + CALLERS_PER_PART)
      })
      return file.write({ at, version, secretKeys, parts })
    },
  })
}

interface WrittenState {
  /** Grows with each change. */
  version(): number
  refreshMs: number
  /** Returns the number of bytes. */
  write(): Promise<number>
}

const CHECK_MS = 1_000
const MIN_PAUSE_MS = 5_000
const MAX_PAUSE_MS = 60_000
/** Large snapshots are written less often. */
const BYTES_PER_MS = 50

/** Writes after a change, but not all the time. Returns a function that stops it. */
function repeatAfterChanges(
  { log }: Pick<SnapshotSource, 'log'>,
  { version, refreshMs, write }: WrittenState,
): () => Promise<void> {
  let writtenVersion = 0
  let lastWrite = -Infinity
  let pauseMs = 0
  let writing: Promise<void> | undefined

  async function writeOnce(): Promise<void> {
    const changed = version()
    try {
      const bytes = await write()
      writtenVersion = changed
      pauseMs = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, bytes / BYTES_PER_MS))
    } catch (error) {
      if (!isUnavailable(error)) logEvent(log, 'snapshot.write_failed', { err: error })
      pauseMs = MIN_PAUSE_MS
    }
    lastWrite = performance.now()
  }

  const timer = setInterval(() => {
    const elapsed = performance.now() - lastWrite
    const isDue = version() === writtenVersion ? elapsed >= refreshMs : elapsed >= pauseMs
    if (isDue) writing ??= writeOnce().finally(() => (writing = undefined))
  }, CHECK_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await writing
  }
}
