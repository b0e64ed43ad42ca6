import type { Client } from 'pg'
import { migrations } from '../migrations/index.ts'
import { checkFooter } from './check-dump.ts'
import { clearSchema } from './clear-schema.ts'
import { copyIn } from './copy.ts'
import { DumpError, type FrameReader } from './frames.ts'
import { checkHeader, type DumpFooter, type DumpHeader } from './manifest.ts'
import { migrateWithin } from './migrate-within.ts'
import { compareBooks, readBooks } from './balance-totals.ts'
import { EXACT_VALUES, quoted } from './write-dump.ts'

export interface LoadOrder {
  /** Drops what is there; without it a database that is not empty is refused. */
  replace: boolean
  /** Asked when everything is loaded; what it throws undoes it all. */
  beforeCommit?(): Promise<void>
}

/** The beginning of a dump. Throws a DumpError when it is none, or one of a newer build. */
export async function readHeader(reader: FrameReader): Promise<DumpHeader> {
  return checkHeader(await reader.nextJson())
}

/**
 * Makes the schema of the dump, fills it, proves that nothing is missing and brings it up to this build. One
 * transaction: a load that fails or is killed leaves the database as it was.
 */
export async function loadDump(
  client: Client,
  header: DumpHeader,
  reader: FrameReader,
  { replace, beforeCommit }: LoadOrder,
): Promise<DumpFooter> {
  await client.query('begin')
  try {
    await client.query(`${EXACT_VALUES}; set local lock_timeout = '10s'`)
    await clearSchema(client, { replace })
    await migrateWithin(client, header.migrations.at(-1)!)
    const footer = await fill(client, header, reader)
    await migrateWithin(client, Object.keys(migrations).at(-1)!)
    // None of the processes that held credit is here: whoever looks may give it back at once.
    await client.query(`update gateway_process set heartbeat_at = 'epoch'`)
    await beforeCommit?.()
    await client.query('commit')
    return footer
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function fill(client: Client, header: DumpHeader, reader: FrameReader): Promise<DumpFooter> {
  const names = header.tables.map(({ name }) => quoted(name))
  await client.query(`truncate ${names.join(', ')} cascade`) // migrations leave a row here and there
  for (const name of header.partitions) await makePartition(client, name)
  const rows: Record<string, number> = {}
  for (const { name, columns } of header.tables) {
    const statement = `copy ${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`
    rows[name] = await copyIn(client, statement, reader.untilEnd())
  }
  const sum = reader.sum()
  const footer = (await reader.nextJson()) as DumpFooter
  checkFooter(rows, sum, footer)
  await reader.expectEnd()
  for (const [name, last] of Object.entries(footer.sequences)) {
    await client.query('select setval($1::regclass, $2)', [quoted(name), last])
  }
  const differences = compareBooks(header.books, await readBooks(client))
  if (differences.length > 0) throw new DumpError(`The books are not those of the backup: ${differences.join('; ')}`)
  return footer
}

async function makePartition(client: Client, name: string): Promise<void> {
  const [, year, month, day] = /^usage_log_y(\d{4})m(\d{2})d(\d{2})$/.exec(name) ?? []
  if (year === undefined) throw new DumpError(`The backup is damaged: ${name} is no part of the usage log`)
  const from = Date.parse(`${year}-${month}-${day}T00:00:00Z`)
  const [start, end] = [from, from + 86_400_000].map((time) => new Date(time).toISOString())
  await client.query(`create table ${quoted(name)} partition of usage_log for values from ('${start}') to ('${end}')`)
}
