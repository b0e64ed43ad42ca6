import type { Client } from 'pg'
import { TABLE_NAMES } from '../schema/index.ts'

/** Who holds a job and what nodes report: true for minutes, and of processes that a copy does not have. */
const PASSING = new Set(['job_lease', 'node_figures'])
const LOGS = new Set(['usage_log', 'chat_content', 'shadow_call', 'shadow_dropped'])

export interface DumpedTable {
  name: string
  columns: string[]
}

/** The tables a dump holds, those that others refer to first. */
export async function listTables(client: Client, { logs }: { logs: boolean }): Promise<DumpedTable[]> {
  const names = TABLE_NAMES.filter((name) => !PASSING.has(name) && (logs || !LOGS.has(name)))
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
