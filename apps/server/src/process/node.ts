import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { logEvent } from '@tidegate/contract'
import type { GatewayEvent, StateExchange } from '@tidegate/gateway'
import {
  type CatalogFeed,
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
} from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { hasPreviousSecret, openStorage, type Storage } from './open-storage.ts'

/** One process of the site: its id, its storage, and the feeds that keep it in sync with other nodes. */
export interface ServerNode {
  /** Unique for every start, so that leases of an earlier process are not taken for this one's. */
  readonly id: string
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
  close(): Promise<void>
}

export interface FamilyServices {
  /** Stays the same when the process is replaced. */
  readonly slot: string
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
}

export async function openNode(
  environment: Environment,
  log: Logger,
  { family, poolSize = environment.TIDEGATE_DATABASE_POOL }: NodeOptions = {},
): Promise<ServerNode> {
  const storage = await openStorage({ ...environment, TIDEGATE_DATABASE_POOL: poolSize }, log)
  try {
    const { db, newClient } = storage.database
    await prepareSchema(db, environment.TIDEGATE_MIGRATE, log)
    // While the root key is replaced, `tidegate secrets rewrap` does this.
    if (!hasPreviousSecret(environment)) await registerRootKey(db, storage.vault)
    const clock = await startDatabaseClock({ db, log })
    const listener = await startSharedListener(newClient, { db, log })
    const feed = await startCatalogFeed({ db, vault: storage.vault, listener, log })
    return {
      id: [hostname(), ...(family ? [family.slot] : []), process.pid, randomBytes(4).toString('hex')].join('-'),
      storage,
      listener,
      feed,
      clock,
      log,
      observers: new Set(),
      family,
      async close() {
        clock.stop()
        await feed.stop()
        await listener.stop()
        await storage.close()
      },
    }
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** Rate limits of all processes where something is shared: Redis, or else the supervisor. */
export function limiterOf({ storage, family, log }: Pick<ServerNode, 'storage' | 'family' | 'log'>): ProcessLimiter {
  return createLimiter({ redis: storage.redis, source: family?.limits, log })
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
