import { Kysely, PostgresDialect, type PostgresPoolClient, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Client } from 'pg'
import type { Db } from './connection/connect.ts'
import { migrations } from './migrations/index.ts'
import { TABLE_NAMES } from './schema/index.ts'

/** Where the names of applied migrations are kept. */
export const MIGRATION_TABLE = 'schema_migration'
export const MIGRATION_LOCK_TABLE = 'schema_migration_lock'

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

/** Brings the schema to a migration as part of the transaction that this client is in. */
export async function migrateInTransaction(client: Client, target: string): Promise<void> {
  const pooledClient = { query: client.query.bind(client), release: () => {} } as PostgresPoolClient
  const pool = { connect: async () => pooledClient, end: async () => {}, options: {} }
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

/** How the database stands to this build. Only `current` may be served. */
export type SchemaState =
  | { kind: 'empty' }
  | { kind: 'current' }
  | { kind: 'behind'; missing: string[] }
  | { kind: 'newer'; unknown: string[] }
  | { kind: 'inconsistent'; reason: string }

/** Reads only; safe against a database that is not ours. */
export async function inspectSchema(db: Db): Promise<SchemaState> {
  const tables = await existingTables(db)
  const executed = tables.has(MIGRATION_TABLE) ? await executedMigrations(db) : []
  return compareSchema({ known: Object.keys(migrations), executed, expectedTables: TABLE_NAMES, tables })
}

export interface SchemaFacts {
  /** Migrations of this build. */
  known: readonly string[]
  /** Migrations the database says it has had. */
  executed: readonly string[]
  /** What must be there once all known migrations have run. */
  expectedTables: readonly string[]
  tables: ReadonlySet<string>
}

export function compareSchema({ known, executed, expectedTables, tables }: SchemaFacts): SchemaState {
  const expected = known.toSorted()
  const recorded = executed.toSorted()
  const missing = expectedTables.filter((name) => !tables.has(name))
  if (recorded.length === 0) {
    if (missing.length === expectedTables.length) return { kind: 'empty' }
    const present = expectedTables.filter((name) => tables.has(name))
    return inconsistent(`no migration is recorded, but these tables exist: ${present.join(', ')}`)
  }
  const shared = Math.min(expected.length, recorded.length)
  const mismatch = expected.findIndex((name, index) => index < shared && name !== recorded[index])
  if (mismatch !== -1)
    return inconsistent(`migration ${recorded[mismatch]} is recorded where ${expected[mismatch]} should be`)
  if (recorded.length < expected.length) return { kind: 'behind', missing: expected.slice(shared) }
  // A newer build may have dropped or renamed tables, so its recorded migrations are the whole message.
  if (recorded.length > expected.length) return { kind: 'newer', unknown: recorded.slice(shared) }
  if (missing.length > 0)
    return inconsistent(`all migrations are recorded, but tables are missing: ${missing.join(', ')}`)
  return { kind: 'current' }
}

/** What is wrong and what to do about it; undefined when nothing is. */
export function describeSchemaProblem(state: SchemaState): string | undefined {
  switch (state.kind) {
    case 'current':
      return undefined
    case 'empty':
      return 'The database has no tables yet: run `tidegate migrate`.'
    case 'behind':
      return `The database lacks migrations ${state.missing.join(', ')}: run \`tidegate migrate\`.`
    case 'newer':
      return (
        `The database was migrated by a newer build (${state.unknown.join(', ')}): ` +
        'start that build, or restore a backup taken before the upgrade.'
      )
    case 'inconsistent':
      return (
        `The database is not in a state any build makes (${state.reason}): ` +
        'it was partly restored or changed by hand. Restore a complete backup, or point to an empty database.'
      )
  }
}

function inconsistent(reason: string): SchemaState {
  return { kind: 'inconsistent', reason }
}

async function existingTables(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

async function executedMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)}`.execute(db)
  return rows.map(({ name }) => name)
}
