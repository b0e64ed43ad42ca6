import type { ThrowAwayDatabase } from '@tidegate/testing'
import { sql } from 'kysely'

type Db = ThrowAwayDatabase['db']
type Digests = Record<string, string>

/** Tables that the server writes on its own. */
const ON_ITS_OWN = new Set([
  'audit_digest',
  'audit_forward',
  'audit_seal',
  'channel_minute',
  'gateway_process',
  'job_lease',
  'ledger_digest',
  'ledger_seal',
  'model_hour',
  'node_figures',
])

/** Rows that a job seals later. */
const SEALED = new Set(['audit_event', 'ledger_entry', 'settlement_batch'])

/** Rejected requests are recorded, those of the data plane with a delay. */
const EXCEPT_REJECTIONS: Readonly<Record<string, ReturnType<typeof sql<boolean>>>> = {
  audit_event: sql<boolean>`t.action <> 'user.forbidden'`,
  usage_log: sql<boolean>`not t.other ? 'rejected'`,
}

/** A digest of every table. The last use of sessions and tokens does not count as a change. */
export async function digestTables(db: Db): Promise<Digests> {
  const tables = (await tableNames(db)).filter((name) => !ON_ITS_OWN.has(name))
  return digest(
    db,
    tables.map((name) => ({ name, where: EXCEPT_REJECTIONS[name] ?? sql<boolean>`true` })),
  )
}

/** A digest of the rows that belong to some users. */
export async function digestOwnedRows(db: Db, userIds: readonly number[]): Promise<Digests> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'user_id' order by 1`.execute(db)
  const tables = new Set(await tableNames(db))
  const ids = sql.join(userIds.map((id) => sql`${id}`))
  return digest(db, [
    { name: 'user', where: sql<boolean>`t.id in (${ids})` },
    ...rows
      .filter(({ name }) => tables.has(name) && !ON_ITS_OWN.has(name))
      .map(({ name }) => ({ name, where: sql<boolean>`t.user_id in (${ids})` })),
  ])
}

/** The tables with different digests. */
export function changedTables(before: Digests, after: Digests): string[] {
  return Object.keys(before).filter((name) => before[name] !== after[name])
}

async function tableNames(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname not like 'kysely%'
    order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

async function digest(db: Db, parts: readonly { name: string; where: ReturnType<typeof sql<boolean>> }[]) {
  const requests = parts.map(({ name, where }) => {
    const ignored = `{last_seen_at,last_used_at,accessed_at${SEALED.has(name) ? ',seal,hash' : ''}}`
    const row = sql`(to_jsonb(t) - ${sql.lit(ignored)}::text[])::text`
    return sql`select ${name}::text as name, md5(coalesce(string_agg(${row}, '|' order by ${row}), '')) as digest
      from ${sql.table(name)} t where ${where}`
  })
  const { rows } = await sql<{ name: string; digest: string }>`${sql.join(requests, sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.map((row) => [row.name, row.digest]))
}
