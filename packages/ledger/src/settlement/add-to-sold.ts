import { sql } from 'kysely'
import type { Db } from '@tidegate/storage'
import { json } from './json.ts'
import { shardOf } from './shard.ts'
import type { SoldSum } from './sum-sold.ts'

const COUNTS = [
  'requests',
  'quota',
  'calls',
  'pieces',
  'input',
  'cache_read',
  'cache_write',
  'cache_write_1h',
  'audio_in',
  'output',
  'audio_out',
] as const satisfies readonly (keyof SoldSum)[]

const columns = sql.join(COUNTS.map((name) => sql.ref(name)))
const typed = sql.join(
  COUNTS.map((name) => sql`${sql.ref(name)} ${name === 'pieces' ? sql`double precision` : sql`bigint`}`),
)
const added = sql.join(COUNTS.map((name) => sql`${sql.ref(name)} = r.${sql.ref(name)} + excluded.${sql.ref(name)}`))

/** Adds a batch to what was sold by price and group: what other prices would have made of it is asked there. */
export async function addToSold(db: Db, holder: string, sold: readonly SoldSum[]): Promise<void> {
  await sql`
    insert into sold_day as r (day, price_name, "group", shard, ${columns})
    select (to_timestamp(day / 1000.0) at time zone 'UTC')::date, price_name, "group", ${shardOf(holder)}, ${columns}
    from json_to_recordset(${json(sold)}) as s(day bigint, price_name text, "group" text, ${typed})
    order by 1, 2, 3
    on conflict (day, price_name, "group", shard) do update set ${added}`.execute(db)
}
