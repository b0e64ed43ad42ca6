import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { logEvent } from '@tidegate/contract'
import type { GatewayEvent, StateExchange } from '@tidegate/gateway'
import { takeOverDeadProcess } from '@tidegate/ledger'
import {
  catalogFrom,
  type CatalogFeed,
  cells,
  createLimiter,
  type ProcessLimiter,
  type SharedLimits,
  type Db,
  describeSchemaProblem,
  inspectSchema,
  migrateToLatest,
  registerRootKey,
  type SharedListener,
  startSharedListener,
  startCatalogFeed,
  startDatabaseClock,
  type DatabaseClock,
  type Vault,
} from '@tidegate/storage'
import { journalDirectories } from '../data-directory.ts'
import type { Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { hasPreviousSecret, openStorage, type Storage } from './open-storage.ts'
import { keepCatalogSnapshot, openSnapshots, type SiteSnapshots } from './snapshots.ts'

/** One process of the site: its id, its storage, and the feeds that keep it in sync with other nodes. */
export interface ServerNode {
  /** Unique for every start, so that work of an earlier process is not taken for this one's. */
  readonly id: string
  /**
   * The name that its credit leases and its journal carry: its id. A process that starts without the database continues
   * those of a dead process.
   */
  readonly creditHolder: string
  readonly storage: Storage
  readonly listener: SharedListener
  readonly feed: CatalogFeed
  /** The time of the database. */
  readonly clock: DatabaseClock
  readonly log: Logger
  /** Receive events of the data plane and failed authentications. */
  readonly observers: Set<(event: GatewayEvent) => void>
  /** What the processes of a family share; undefined in a process without a supervisor. */
  readonly family: FamilyServices | undefined
  readonly snapshots: SiteSnapshots
  /** The database did not respond at the start, so the process began with its snapshot. */
  readonly startedWithoutDatabase: boolean
  close(): Promise<void>
}

export interface FamilyServices {
  /** Stays the same when the process is replaced. */
  readonly slot: string
  /** Another process serves in the slot, and holds its credit leases. */
  readonly isReplacement: boolean
  readonly settleIntervalMs: number
  /** Routing state that the gateways share. */
  readonly bus: StateExchange
  /** Rate limits of the family, for sites without Redis. */
  readonly limits: SharedLimits
}

interface NodeOptions {
  readonly family?: FamilyServices
  /** Database connections of this process. */
  readonly poolSize?: number
  /** Whether the process has a data plane. */
  readonly holdsCredit: boolean
}

/** Longer than processes take to end after their supervisor was killed: they hold the leases until then. */
const ENDING_MS = 40_000

export async function openNode(
  environment: Environment,
  log: Logger,
  { family, poolSize = environment.TIDEGATE_DATABASE_POOL, holdsCredit }: NodeOptions,
): Promise<ServerNode> {
  const slot = family?.slot
  const snapshotsOf = (vault: Vault) => openSnapshots(environment, { vault, log, slot })
  const withPool = { ...environment, TIDEGATE_DATABASE_POOL: poolSize }
  const storage = await openStorage(withPool, log, (vault) => snapshotsOf(vault).catalog)
  try {
    const { vault, snapshot } = storage
    const { db, newClient } = storage.database
    if (snapshot && family?.isReplacement) {
      throw new Error('the database is away, and the process that serves now keeps its credit leases')
    }
    if (!snapshot) {
      await prepareSchema(db, environment.TIDEGATE_MIGRATE, log)
      await cells.claimOwn(db, environment.TIDEGATE_CELL)
      // While the root key is replaced, `tidegate secrets rewrap` does this.
      if (!hasPreviousSecret(environment)) await registerRootKey(db, vault)
    }
    const clock = await startDatabaseClock({ db, log, isAway: snapshot !== undefined })
    const listener = await startSharedListener(newClient, { db, log })
    const initial = snapshot && catalogFrom(snapshot.parts[0]!, vault, log)
    const feed = await startCatalogFeed({ db, vault, listener, log, ...(initial && { initial }) })
    const id = [
      environment.TIDEGATE_CELL,
      hostname(),
      ...(slot ? [slot] : []),
      process.pid,
      randomBytes(4).toString('hex'),
    ].join('-')
    const { journals } = journalDirectories(environment.TIDEGATE_DATA_DIR)
    const resumed = snapshot && holdsCredit ? await takeOverDeadProcess(journals, slot, ENDING_MS) : undefined
    if (snapshot) {
      const snapshotAt = new Date(snapshot.at).toISOString()
      logEvent(log, 'server.started_without_database', { snapshotAt, ...(resumed !== undefined && { resumed }) })
      checkSchemaOnReturn(db, listener, log)
    }
    const node: ServerNode = {
      id,
      creditHolder: resumed ?? id,
      storage,
      listener,
      feed,
      clock,
      log,
      observers: new Set(),
      family,
      snapshots: snapshotsOf(vault),
      startedWithoutDatabase: snapshot !== undefined,
      async close() {
        await stopSnapshot()
        clock.stop()
        await feed.stop()
        await listener.stop()
        await storage.close()
      },
    }
    const stopSnapshot = keepCatalogSnapshot(node)
    return node
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** Rate limits of all processes where something is shared: Redis, or else the supervisor. */
export function limiterOf({ storage, family, log }: Pick<ServerNode, 'storage' | 'family' | 'log'>): ProcessLimiter {
  return createLimiter({ redis: storage.redis, source: family?.limits, log })
}

/**
 * Stops the process if the schema was changed while the database was away. The first gap is reported when a connection
 * is back.
 */
function checkSchemaOnReturn(db: Db, listener: SharedListener, log: Logger): void {
  const unsubscribe = listener.subscribe({
    onNotification() {},
    onGap() {
      inspectSchema(db).then(
        (state) => {
          unsubscribe()
          const problem = describeSchemaProblem(state)
          if (problem === undefined) return
          logEvent(log, 'server.schema_changed', { problem })
          process.kill(process.pid, 'SIGTERM')
        },
        () => {}, // at the next gap
      )
    },
  })
}

/** Migrates the schema, or throws: serving on the schema of another build could corrupt data. */
async function prepareSchema(db: Db, mode: Environment['TIDEGATE_MIGRATE'], log: Logger): Promise<void> {
  if (mode === 'auto') {
    const applied = await migrateToLatest(db)
    if (applied.length > 0) logEvent(log, 'schema.migrated', { applied })
  }
  const state = await inspectSchema(db)
  const problem = describeSchemaProblem(state)
  if (problem !== undefined) throw new Error(problem)
  if (state.kind === 'compatible') logEvent(log, 'schema.newer', { unknown: state.unknown })
}
