import type { Client } from 'pg'
import { MIGRATION_LOCK_TABLE, MIGRATION_TABLE } from '../migration-tables.ts'
import { migrations } from '../migrations/index.ts'
import { TABLE_NAMES } from '../schema/index.ts'
import { DumpError } from './frames.ts'
import { quoted } from './write-dump.ts'

/** Leaves no table of ours, within the caller's transaction. Refuses a database that holds anything unless told to. */
export async function clearSchema(client: Client, { replace }: { replace: boolean }): Promise<void> {
  const tables = await existingTables(client)
  if (tables.length === 0) return
  if (!tables.includes(MIGRATION_TABLE)) {
    throw new DumpError(
      `The database holds tables of something else (${tables.slice(0, 5).join(', ')}): choose another`,
    )
  }
  if (!replace)
    throw new DumpError('The database is not empty: give --replace to put the backup in place of what is there')
  const ours = (await isThisBuilds(client)) ? tables.filter(isOurs) : tables
  if (ours.length > 0) await client.query(`drop table ${ours.map(quoted).join(', ')} cascade`)
}

/** Another build may have tables we have never heard of; of this one we know them all, and leave others alone. */
async function isThisBuilds(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(`select name from ${MIGRATION_TABLE} order by name`)
  return rows.map(({ name }) => name).join() === Object.keys(migrations).toSorted().join()
}

function isOurs(name: string): boolean {
  return name === MIGRATION_TABLE || name === MIGRATION_LOCK_TABLE || (TABLE_NAMES as readonly string[]).includes(name)
}

/** Partitions go with what they are parts of. */
async function existingTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
    order by 1`)
  return rows.map(({ name }) => name)
}
