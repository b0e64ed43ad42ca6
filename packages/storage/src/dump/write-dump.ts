import type { Client } from 'pg'
import { migrations } from '../migrations/index.ts'
import { TABLE_NAMES } from '../schema/index.ts'
import { copyOut } from './copy.ts'
import { FrameWriter } from './frames.ts'
import { type DumpFooter, type DumpHeader, FORMAT, readBalanceTotals } from './manifest.ts'

export type DumpOptions = Pick<DumpHeader, 'version' | 'logs' | 'keyFingerprint' | 'sealedKey'>

/** Makes the text form of values independent of server and user settings. */
export const SESSION_SETTINGS = `
  set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local extra_float_digits = 3; set local bytea_output = 'hex'; set local client_encoding = 'UTF8';
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`

/**
 * Writes a snapshot of all tables while others keep writing. Do not use the client for anything else meanwhile. The
 * schema must be that of this build. Returns the last frame.
 */
export async function* writeDump(client: Client, options: DumpOptions): AsyncGenerator<Buffer, DumpFooter> {
  await client.query('begin isolation level repeatable read, read only')
  try {
    await client.query(SESSION_SETTINGS)
    const writer = new FrameWriter()
    const header = await buildHeader(client, options)
    // Prevents partitions from being dropped during the dump.
    await client.query(
      `lock table ${header.tables.map(({ name }) => quoteIdentifier(name)).join(', ')} in access share mode`,
    )
    yield* writer.writeJson(header)
    yield writer.end()

    const rows: Record<string, number> = {}
    for (const { name, columns } of header.tables) {
      rows[name] = 0
      const statement = `copy (select ${columns.map(quoteIdentifier).join(', ')} from ${quoteIdentifier(name)}) to stdout`
      for await (const chunk of copyOut(client, statement)) {
        rows[name] += countLines(chunk)
        yield* writer.write(chunk)
      }
      yield writer.end()
    }
    // Sequences are not transactional. Read last, they are past every dumped row.
    const footer: DumpFooter = { rows, sequences: await readSequences(client), sha256: writer.checksum() }
    yield* writer.writeJson(footer)
    yield writer.end()
    return footer
  } finally {
    await client.query('rollback').catch(() => {})
  }
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

async function buildHeader(client: Client, options: DumpOptions): Promise<DumpHeader> {
  const { rows } = await client.query<{ name: string }>(`
    select child.relname::text as name from pg_inherits join pg_class child on child.oid = inhrelid
    where inhparent = 'usage_log'::regclass order by 1`)
  return {
    format: FORMAT,
    createdAt: new Date().toISOString(),
    migrations: Object.keys(migrations),
    ...options,
    tables: await listTables(client, options),
    partitions: rows.map(({ name }) => name),
    books: await readBalanceTotals(client),
  }
}

/** Counts rows. COPY escapes line breaks within values. */
export function countLines(chunk: Buffer): number {
  let lines = 0
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++
  return lines
}

async function readSequences(client: Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; last: string }>(`
    select sequencename::text as name, last_value::text as last from pg_sequences
    where schemaname = current_schema() and last_value is not null`)
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
}

/** Job leases and node metrics: valid for minutes, and about processes that a restored site does not have. */
const EPHEMERAL_TABLES = new Set(['job_lease', 'node_figures'])
const LOG_TABLES = new Set(['usage_log', 'chat_content', 'shadow_call', 'shadow_dropped'])

interface DumpTable {
  name: string
  columns: string[]
}

/** The tables to dump, referenced tables first. */
async function listTables(client: Client, { logs }: { logs: boolean }): Promise<DumpTable[]> {
  const names = TABLE_NAMES.filter((name) => !EPHEMERAL_TABLES.has(name) && (logs || !LOG_TABLES.has(name)))
  const columns = await readColumns(client)
  const parents = await readParents(client)
  return parentsFirst(names, parents).map((name) => ({ name, columns: columns.get(name) ?? [] }))
}

async function readColumns(client: Client): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(`
    select relname::text as name, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and attnum > 0 and not attisdropped and attgenerated = ''
    group by relname`)
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

async function readParents(client: Client): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ child: string; parent: string }>(`
    select distinct child.relname::text as child, parent.relname::text as parent
    from pg_constraint join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
    where contype = 'f' and conrelid <> confrelid and child.relnamespace = current_schema()::regnamespace`)
  const parents = new Map<string, string[]>()
  for (const { child, parent } of rows) parents.set(child, [...(parents.get(child) ?? []), parent])
  return parents
}

function parentsFirst(names: readonly string[], parents: ReadonlyMap<string, string[]>): string[] {
  const ordered = new Set<string>()
  const add = (name: string) => {
    if (ordered.has(name)) return
    for (const parent of parents.get(name) ?? []) add(parent)
    ordered.add(name)
  }
  for (const name of names) add(name)
  return [...ordered]
}
