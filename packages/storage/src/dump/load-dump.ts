import { sql } from 'kysely'
import type { Client } from 'pg'
import type { Db } from '../connection/connect.ts'
import { migrateInTransaction, MIGRATION_LOCK_TABLE, MIGRATION_TABLE } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { TABLE_NAMES } from '../schema/index.ts'
import { copyIn } from './copy.ts'
import { DumpError, type FrameReader } from './frames.ts'
import { checkHeader, compareBalanceTotals, type DumpFooter, type DumpHeader, readBalanceTotals } from './manifest.ts'
import { countLines, SESSION_SETTINGS, quoteIdentifier } from './write-dump.ts'

export interface LoadOptions {
  /** Drops existing tables. Without it, a database that is not empty is rejected. */
  replace: boolean
  /** Called after loading. If it throws, everything is rolled back. */
  beforeCommit?(): Promise<void>
}

/** Reads the start of a dump. Throws a DumpError for another file or a dump of a newer build. */
export async function readHeader(reader: FrameReader): Promise<DumpHeader> {
  return checkHeader(await reader.nextJson())
}

/**
 * Creates the schema of the dump, loads the rows, verifies that they are complete, and migrates to this build. One
 * transaction: a load that fails or is killed leaves the database unchanged.
 */
export async function loadDump(
  client: Client,
  header: DumpHeader,
  reader: FrameReader,
  { replace, beforeCommit }: LoadOptions,
): Promise<DumpFooter> {
  await client.query('begin')
  try {
    await client.query(`${SESSION_SETTINGS}; set local lock_timeout = '10s'`)
    await clearSchema(client, { replace })
    await migrateInTransaction(client, header.migrations.at(-1)!)
    const footer = await loadTables(client, header, reader)
    await migrateInTransaction(client, Object.keys(migrations).at(-1)!)
    // The processes that held credit leases do not exist here. Expired heartbeats let the leases be released
    // immediately.
    await client.query(`update gateway_process set heartbeat_at = 'epoch'`)
    await beforeCommit?.()
    await client.query('commit')
    return footer
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function loadTables(client: Client, header: DumpHeader, reader: FrameReader): Promise<DumpFooter> {
  const names = header.tables.map(({ name }) => quoteIdentifier(name))
  await client.query(`truncate ${names.join(', ')} cascade`) // some migrations insert rows
  for (const name of header.partitions) await createPartition(client, name)
  const rows: Record<string, number> = {}
  for (const { name, columns } of header.tables) {
    const statement = `copy ${quoteIdentifier(name)} (${columns.map(quoteIdentifier).join(', ')}) from stdin`
    rows[name] = await copyIn(client, statement, reader.untilEnd())
  }
  const checksum = reader.checksum()
  const footer = (await reader.nextJson()) as DumpFooter
  checkFooter(rows, checksum, footer)
  await reader.expectEnd()
  for (const [name, last] of Object.entries(footer.sequences)) {
    await client.query('select setval($1::regclass, $2)', [quoteIdentifier(name), last])
  }
  const differences = compareBalanceTotals(header.books, await readBalanceTotals(client))
  if (differences.length > 0) throw new DumpError(`The books are not those of the backup: ${differences.join('; ')}`)
  return footer
}

async function createPartition(client: Client, name: string): Promise<void> {
  const [, year, month, day] = /^usage_log_y(\d{4})m(\d{2})d(\d{2})$/.exec(name) ?? []
  if (year === undefined) throw new DumpError(`The backup is damaged: ${name} is no part of the usage log`)
  const from = Date.parse(`${year}-${month}-${day}T00:00:00Z`)
  const [start, end] = [from, from + 86_400_000].map((time) => new Date(time).toISOString())
  await client.query(
    `create table ${quoteIdentifier(name)} partition of usage_log for values from ('${start}') to ('${end}')`,
  )
}

/**
 * Reads a dump to its end without a database and throws a DumpError unless it is complete. Returns the row count by
 * table.
 */
export async function checkDump(header: DumpHeader, reader: FrameReader): Promise<Record<string, number>> {
  const rows: Record<string, number> = {}
  for (const { name } of header.tables) {
    rows[name] = 0
    for await (const frame of reader.untilEnd()) rows[name] += countLines(frame)
  }
  const checksum = reader.checksum()
  checkFooter(rows, checksum, (await reader.nextJson()) as DumpFooter)
  await reader.expectEnd()
  return rows
}

/** Throws unless row counts and checksum match the end of the dump. */
function checkFooter(rows: Record<string, number>, checksum: string, footer: DumpFooter): void {
  const different = Object.keys(rows).filter((name) => rows[name] !== footer.rows[name])
  if (footer.sha256 === checksum && different.length === 0) return
  throw new DumpError(
    `The backup is damaged: ${different.length > 0 ? `rows of ${different.join(', ')}` : 'its checksum'}`,
  )
}

/** Drops our tables in the caller's transaction. Rejects a database that is not empty unless `replace` is set. */
async function clearSchema(client: Client, { replace }: { replace: boolean }): Promise<void> {
  const tables = await existingTables(client)
  if (tables.length === 0) return
  if (!tables.includes(MIGRATION_TABLE)) {
    throw new DumpError(
      `The database holds tables of something else (${tables.slice(0, 5).join(', ')}): choose another`,
    )
  }
  if (!replace)
    throw new DumpError('The database is not empty: give --replace to put the backup in place of what is there')
  const ownTables = (await isCurrentSchema(client)) ? tables.filter(isOwnTable) : tables
  if (ownTables.length > 0) await client.query(`drop table ${ownTables.map(quoteIdentifier).join(', ')} cascade`)
}

/** Another build may have tables that this one does not know, so all tables are dropped then. */
async function isCurrentSchema(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(`select name from ${MIGRATION_TABLE} order by name`)
  return rows.map(({ name }) => name).join() === Object.keys(migrations).toSorted().join()
}

function isOwnTable(name: string): boolean {
  return name === MIGRATION_TABLE || name === MIGRATION_LOCK_TABLE || (TABLE_NAMES as readonly string[]).includes(name)
}

/** Partitions are left out, because they are dropped with their parent. */
async function existingTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
    order by 1`)
  return rows.map(({ name }) => name)
}

/** The application name of serving processes. Backup and restore commands use another one. */
const SERVING_APPLICATION = 'tidegate'

export async function countServingConnections(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name = ${SERVING_APPLICATION}`.execute(db)
  return rows[0]!.count
}
