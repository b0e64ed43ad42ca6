import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Client } from 'pg'
import { MIGRATION_LOCK_TABLE, MIGRATION_TABLE } from '../migration-tables.ts'
import { migrations } from '../migrations/index.ts'

/** Brings the schema to a migration as part of the transaction that this client is in. */
export async function migrateWithin(client: Client, target: string): Promise<void> {
  const lent = { query: client.query.bind(client), release: () => {} } as PostgresPoolClient
  const pool = { connect: async () => lent, end: async () => {}, options: {} }
  const migrator = new Migrator({
    db: new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }),
    provider: { getMigrations: async () => migrations },
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: MIGRATION_LOCK_TABLE,
    disableTransactions: true, // there is one already, and it is not the migrator's to end
  })
  const { error } = await migrator.migrateTo(target)
  if (error !== undefined) throw error
}
