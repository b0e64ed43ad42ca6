import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  connectDatabase,
  connectRedis,
  configuredRootKey,
  loadKeyRing,
  openVault,
  loadRootKey,
  isUnavailable,
  ping,
  startEmbeddedPostgres,
  type CatalogRows,
  type DatabaseHandle,
  type RedisHandle,
  type Snapshot,
  type SnapshotFile,
  type Vault,
} from '@tidegate/storage'
import { previousSecretSource, secretSource, type Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { openLogStores, type LogStores } from './log-stores.ts'

/** Database connections of a process that has no supervisor. */
const DEFAULT_POOL = 10

/** Connections to the state of the site. */
export interface Storage {
  database: DatabaseHandle
  databaseType: 'postgres' | 'embedded'
  redis: RedisHandle | undefined
  logs: LogStores
  vault: Vault
  /** The catalog of the snapshot, if the database does not respond. */
  snapshot: Snapshot<CatalogRows> | undefined
  close(): Promise<void>
}

/** `snapshotOf` allows a start without the database. */
export async function openStorage(
  environment: Environment,
  log: Logger,
  snapshotOf?: (vault: Vault) => SnapshotFile<CatalogRows>,
): Promise<Storage> {
  const vault = await openSiteVault(environment)
  const { database, databaseType, stop } = await openDatabase(environment, log)
  let snapshot: Storage['snapshot']
  try {
    // An embedded server has started, or has reported why it could not.
    if (databaseType === 'postgres' && snapshotOf) snapshot = await readIfAway(database, snapshotOf(vault))
    if (!snapshot) await loadKeyRing(database.db, vault)
  } catch (error) {
    await database.close()
    await stop()
    throw error
  }
  const redis = environment.REDIS_URL
    ? await connectRedis(environment.REDIS_URL, environment.TIDEGATE_REDIS_PREFIX, { log })
    : undefined
  const logs = openLogStores(environment, database, log)
  return {
    database,
    databaseType,
    redis,
    logs,
    vault,
    snapshot,
    async close() {
      await redis?.close()
      await logs.close()
      await database.close()
      await stop()
    },
  }
}

/** How long the start waits for the database before it looks for a snapshot. */
const START_QUERY_MS = 5_000

async function readIfAway(
  database: DatabaseHandle,
  file: SnapshotFile<CatalogRows>,
): Promise<Snapshot<CatalogRows> | undefined> {
  try {
    await ping(database.withDeadline(START_QUERY_MS))
    return undefined
  } catch (error) {
    return isUnavailable(error) ? await file.read() : undefined
  }
}

export async function openRootKey(environment: Environment): Promise<Uint8Array> {
  const directory = environment.TIDEGATE_DATA_DIR
  if (!hasSecret(environment)) await mkdir(directory, { recursive: true, mode: 0o711 })
  return loadRootKey({ ...secretSource(environment), keyFile: join(directory, 'secret.key') })
}

/** Whether the root key is configured, and not a file in the data directory. */
export function hasSecret(environment: Environment): boolean {
  return Object.values(secretSource(environment)).some((text) => text !== undefined)
}

/** Whether the root key is being replaced. */
export function hasPreviousSecret(environment: Environment): boolean {
  return Object.values(previousSecretSource(environment)).some((text) => text !== undefined)
}

/** Without the keys of the database, which `loadKeyRing` adds. */
export async function openSiteVault(environment: Environment): Promise<Vault> {
  return openVault(await openRootKey(environment), await configuredRootKey(previousSecretSource(environment)))
}

/** Other processes see the application name and use it to detect serving processes. */
export async function openDatabase(environment: Environment, log: Logger, applicationName = 'tidegate') {
  const options = { poolSize: environment.TIDEGATE_DATABASE_POOL ?? DEFAULT_POOL, applicationName, log }
  if (environment.DATABASE_URL !== undefined) {
    const database = connectDatabase({ url: environment.DATABASE_URL, ...options })
    return { database, databaseType: 'postgres' as const, stop: async () => {} }
  }
  const server = await startEmbeddedPostgres({ dataDir: environment.TIDEGATE_DATA_DIR, log })
  const database = connectDatabase({ ...server.connection, ...options })
  return { database, databaseType: 'embedded' as const, stop: () => server.stop() }
}
