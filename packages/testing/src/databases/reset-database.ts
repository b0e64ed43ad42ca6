import type { Pool } from 'pg'

/** The schema and rows of a freshly migrated database. */
export interface DatabaseSnapshot {
  readonly schema: string
  /** JSON arrays of the rows that migrations insert, by table. */
  readonly rows: ReadonlyMap<string, string>
}

const TABLES = `select oid::regclass::text as name, pg_relation_size(oid) as size from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r'`
/** Larger tables are truncated: deleting would leave dead rows for later scans. */
const TRUNCATE_FROM_BYTES = 1_000_000

const SCHEMA = `select string_agg(name, ' ' order by name) as schema from (
    select relkind::text || relname from pg_class where relnamespace = 'public'::regnamespace
    union all select 'column' || attrelid::regclass || '.' || attname from pg_attribute
      join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0
    union all select 'trigger' || tgname from pg_trigger where not tgisinternal
    union all select 'function' || proname from pg_proc where pronamespace = 'public'::regnamespace
  ) as parts (name)`

export async function snapshotDatabase(pool: Pool): Promise<DatabaseSnapshot> {
  const rows = new Map<string, string>()
  for (const { name, size } of await tablesOf(pool)) {
    if (size === 0) continue
    const found = await pool.query<{ rows: string | null }>(`select json_agg(t)::text as rows from ${name} t`)
    if (found.rows[0]?.rows) rows.set(name, found.rows[0].rows)
  }
  return { schema: await schemaOf(pool), rows }
}

/**
 * Resets a database to its snapshot: closes other connections, drops new partitions, empties tables, restarts sequences
 * and inserts the rows of the migrations. Returns false if the schema differs, so that the database must be replaced.
 * `delete` of the used tables is much faster than `truncate` of all tables or a new copy of the template, which replace
 * every file on disk.
 */
export async function resetDatabase(pool: Pool, snapshot: DatabaseSnapshot): Promise<boolean> {
  await pool.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  await dropNewPartitions(pool, snapshot)
  if ((await schemaOf(pool)) !== snapshot.schema) return false
  const used = (await tablesOf(pool)).filter(({ size }) => size > 0)
  const large = used.filter(({ size }) => size >= TRUNCATE_FROM_BYTES).map(({ name }) => name)
  const small = used.filter(({ size }) => size < TRUNCATE_FROM_BYTES).map(({ name }) => name)
  if (large.length > 0) await pool.query(`truncate ${large.join(', ')} cascade`)
  // In one statement, foreign keys are checked after all deletes.
  const deletes = small.map((name, index) => `d${index} as (delete from ${name})`)
  if (deletes.length > 0) await pool.query(`with ${deletes.join(', ')} select`)
  await pool.query(`select setval(format('%I.%I', schemaname, sequencename), start_value, false)
    from pg_sequences where last_value is not null`)
  for (const [name, rows] of snapshot.rows) {
    await pool.query(
      `insert into ${name} overriding system value select * from json_populate_recordset(null::${name}, $1)`,
      [rows],
    )
  }
  return true
}

async function dropNewPartitions(pool: Pool, { schema }: DatabaseSnapshot): Promise<void> {
  const known = new Set(schema.split(' '))
  const found = await pool.query<{ relname: string }>(`select relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relispartition`)
  const made = found.rows.map(({ relname }) => relname).filter((name) => !known.has(`r${name}`))
  if (made.length > 0) await pool.query(`drop table ${made.join(', ')}`)
}

async function schemaOf(pool: Pool): Promise<string> {
  return (await pool.query<{ schema: string }>(SCHEMA)).rows[0]!.schema
}

async function tablesOf(pool: Pool): Promise<{ name: string; size: number }[]> {
  const found = await pool.query<{ name: string; size: string }>(TABLES)
  return found.rows.map(({ name, size }) => ({ name, size: Number(size) }))
}
