import { join } from 'node:path'
import {
  connectDatabase,
  ensureUsageLogPartitions,
  migrateToLatest,
  startEmbeddedPostgres,
  type DatabaseHandle,
} from '@tidegate/storage'
import { removeDirectory, workerDatabase, throwAwayDirectory } from '@tidegate/testing'

export interface TestDatabase {
  name: string
  open(poolSize: number): Promise<DatabaseHandle>
}

/** Both kinds of database that the product supports. */
export const TEST_DATABASES: readonly TestDatabase[] = [
  { name: 'a PostgreSQL server', open: (poolSize) => workerDatabase({ poolSize }) },
  { name: 'the embedded PostgreSQL', open: openEmbedded },
]

async function openEmbedded(poolSize: number): Promise<DatabaseHandle> {
  const directory = await throwAwayDirectory()
  const server = await startEmbeddedPostgres({ dataDir: join(directory, 'data') })
  const handle = connectDatabase({ ...server.connection, poolSize, applicationName: 'test' })

  async function close(): Promise<void> {
    await handle.close()
    await server.stop()
    await removeDirectory(directory)
  }

  try {
    await migrateToLatest(handle.db)
    await ensureUsageLogPartitions(handle.db, { from: new Date(Date.now() - 86_400_000), days: 4 })
  } catch (error) {
    await close()
    throw error
  }
  return { ...handle, close }
}
