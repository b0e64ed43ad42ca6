import { Kysely, PostgresDialect, type PostgresPoolClient, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Client } from 'pg'
import type { Db } from './connection/connect.ts'
import { migrations } from './migrations/index.ts'
import { TABLE_NAMES } from './schema/index.ts'

/** Stores the names of applied migrations. */
export const MIGRATION_TABLE = 'schema_migration'
export const MIGRATION_LOCK_TABLE = 'schema_migration_lock'

/**
 * Migrates the schema to this build and returns the names of the applied migrations. It runs in one transaction with an
 * advisory lock, so several processes may call it at once, and one that dies leaves nothing behind.
 */
export async function migrateToLatest(db: Db): Promise<string[]> {
  const before = await inspectSchema(db)
  // Kysely's migrator reads every column of the database, which takes a tenth of the start time.
  if (before.kind === 'current' || before.kind === 'compatible') return []
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

/** Migrates the schema up to `target` in the client's transaction. */
export async function migrateInTransaction(client: Client, target: string): Promise<void> {
  const pooledClient = { query: client.query.bind(client), release: () => {} } as PostgresPoolClient
  const pool = { connect: async () => pooledClient, end: async () => {}, options: {} }
  const migrator = new Migrator({
    db: new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }),
    provider: { getMigrations: async () => migrations },
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: MIGRATION_LOCK_TABLE,
    disableTransactions: true, // the caller's transaction is used
  })
  const { error } = await migrator.migrateTo(target)
  if (error !== undefined) throw error
}

/** How the schema of the database compares with this build. Only `current` and `compatible` can be served. */
export type SchemaState =
  | { kind: 'empty' }
  | { kind: 'current' }
  /** A newer build migrated it, only by additions that this build does not need to know. */
  | { kind: 'compatible'; unknown: string[] }
  | { kind: 'behind'; missing: string[] }
  | { kind: 'newer'; unknown: string[] }
  | { kind: 'inconsistent'; reason: string }

/** Only reads; safe on a database of another product. */
export async function inspectSchema(db: Db): Promise<SchemaState> {
  const tables = await existingTables(db)
  const executed = tables.has(MIGRATION_TABLE) ? await executedMigrations(db) : []
  const oldestBuild = tables.has('schema_compatibility') ? await readOldestBuild(db) : undefined
  return compareSchema({ known: Object.keys(migrations), executed, oldestBuild, expectedTables: TABLE_NAMES, tables })
}

export interface SchemaFacts {
  /** Migrations of this build. */
  known: readonly string[]
  /** Migrations recorded in the database. */
  executed: readonly string[]
  /** The last migration of the oldest build that can serve this schema. */
  oldestBuild?: string | undefined
  /** Tables that exist after all known migrations. */
  expectedTables: readonly string[]
  tables: ReadonlySet<string>
}

export function compareSchema({ known, executed, oldestBuild, expectedTables, tables }: SchemaFacts): SchemaState {
  const expected = known.toSorted()
  const recorded = executed.toSorted()
  const missing = expectedTables.filter((name) => !tables.has(name))
  if (recorded.length === 0) {
    if (missing.length === expectedTables.length) return { kind: 'empty' }
    const present = expectedTables.filter((name) => tables.has(name))
    return inconsistentState(`no migration is recorded, but these tables exist: ${present.join(', ')}`)
  }
  const shared = Math.min(expected.length, recorded.length)
  const mismatch = expected.findIndex((name, index) => index < shared && name !== recorded[index])
  if (mismatch !== -1)
    return inconsistentState(`migration ${recorded[mismatch]} is recorded where ${expected[mismatch]} should be`)
  if (recorded.length < expected.length) return { kind: 'behind', missing: expected.slice(shared) }
  // A newer build may have dropped or renamed tables, so only its migrations are reported.
  if (recorded.length > expected.length) {
    const isCompatible = oldestBuild !== undefined && oldestBuild <= expected.at(-1)!
    return { kind: isCompatible ? 'compatible' : 'newer', unknown: recorded.slice(shared) }
  }
  if (missing.length > 0)
    return inconsistentState(`all migrations are recorded, but tables are missing: ${missing.join(', ')}`)
  return { kind: 'current' }
}

/** Describes the problem and the fix; undefined when there is none. */
export function describeSchemaProblem(state: SchemaState): string | undefined {
  switch (state.kind) {
    case 'current':
    case 'compatible':
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

function inconsistentState(reason: string): SchemaState {
  return { kind: 'inconsistent', reason }
}

async function existingTables(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

async function readOldestBuild(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('schema_compatibility').select('oldest_build').executeTakeFirst()
  return row?.oldest_build
}

async function executedMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)}`.execute(db)
  return rows.map(({ name }) => name)
}
