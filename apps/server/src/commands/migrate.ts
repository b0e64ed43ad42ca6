import { migrateToLatest } from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { openStorage } from '../process/open-storage.ts'

/** Migrates the schema and prints the applied migrations. */
export async function migrate(environment: Environment, log: Logger): Promise<void> {
  const storage = await openStorage(environment, log)
  try {
    const applied = await migrateToLatest(storage.database.db)
    console.log(applied.length === 0 ? 'The schema is up to date.' : `Applied: ${applied.join(', ')}`)
  } finally {
    await storage.close()
  }
}
