import { Migrator } from 'kysely/migration'
import type { Db } from './connection/connect.ts'
import { describeSchemaProblem, inspectSchema } from './inspect-schema.ts'
import { MIGRATION_LOCK_TABLE, MIGRATION_TABLE } from './migration-tables.ts'
import { migrations } from './migrations/index.ts'

/**
 * Brings the schema up to this build and answers the names of what it applied. All of it is one transaction under an
 * advisory lock, so any number of processes may call it at once, and one that dies in the middle leaves nothing behind.
 */
export async function migrateToLatest(db: Db): Promise<string[]> {
  const before = await inspectSchema(db)
  if (before.kind === 'newer' || before.kind === 'inconsistent') throw new Error(describeSchemaProblem(before))
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: MIGRATION_LOCK_TABLE,
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error !== undefined) throw migrationError(error, results)
  return results.map(({ migrationName }) => migrationName)
}

function migrationError(error: unknown, results: readonly { migrationName: string; status: string }[]): Error {
  const failed = results.find(({ status }) => status === 'Error')?.migrationName
  const where = failed === undefined ? 'the schema could not be migrated' : `migration ${failed} failed`
  const reason = error instanceof Error ? error.message : String(error)
  return new Error(`${where}: ${reason}`, { cause: error })
}
