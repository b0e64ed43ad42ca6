import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  connectDatabase,
  connectRedis,
  openVault,
  rootKeyFrom,
  startEmbeddedPostgres,
  type DatabaseHandle,
  type RedisHandle,
  type Vault,
} from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import type { Logger } from '../logging.ts'

/** Everything a process keeps its state in. */
export interface Storage {
  database: DatabaseHandle
  databaseType: 'postgres' | 'embedded'
  redis: RedisHandle | undefined
  vault: Vault
  close(): Promise<void>
}

export async function openStorage(environment: Environment, log: Logger): Promise<Storage> {
  const vault = openVault(await openRootKey(environment))
  const { database, databaseType, stop } = await openDatabase(environment, log)
  const redis = environment.REDIS_URL
    ? await connectRedis(environment.REDIS_URL, environment.TIDEGATE_REDIS_PREFIX, { log })
    : undefined
  return {
    database,
    databaseType,
    redis,
    vault,
    async close() {
      await redis?.close()
      await database.close()
      await stop()
    },
  }
}

export async function openRootKey({ TIDEGATE_DATA_DIR, TIDEGATE_SECRET }: Environment): Promise<Uint8Array> {
  if (TIDEGATE_SECRET === undefined) await mkdir(TIDEGATE_DATA_DIR, { recursive: true, mode: 0o711 })
  return rootKeyFrom({ secret: TIDEGATE_SECRET, keyFile: join(TIDEGATE_DATA_DIR, 'secret.key') })
}

/** The name is what other processes see of this one, and tell by it whether somebody serves from the database. */
export async function openDatabase(environment: Environment, log: Logger, applicationName = 'tidegate') {
  const options = { poolSize: environment.TIDEGATE_DATABASE_POOL, applicationName, log }
  if (environment.DATABASE_URL !== undefined) {
    const database = connectDatabase({ url: environment.DATABASE_URL, ...options })
    return { database, databaseType: 'postgres' as const, stop: async () => {} }
  }
  const server = await startEmbeddedPostgres({ dataDir: environment.TIDEGATE_DATA_DIR, log })
  const database = connectDatabase({ ...server.connection, ...options })
  return { database, databaseType: 'embedded' as const, stop: () => server.stop() }
}
