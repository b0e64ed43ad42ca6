import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'

export interface SoldRow {
  price_name: string
  group: string
  requests: number
  quota: number
  calls: number
  pieces: number
  input: number
  cache_read: number
  cache_write: number
  cache_write_1h: number
  audio_in: number
  output: number
  audio_out: number
}

/** Units sold since a UTC day, by price and group. Rows without a price name are left out. */
export async function listSince(db: Db, day: Date): Promise<SoldRow[]> {
  const { rows } = await sql<SoldRow>`
    select price_name, "group", sum(requests)::bigint as requests, sum(quota)::bigint as quota,
      sum(calls)::bigint as calls, sum(pieces) as pieces, sum(input)::bigint as input,
      sum(cache_read)::bigint as cache_read, sum(cache_write)::bigint as cache_write,
      sum(cache_write_1h)::bigint as cache_write_1h, sum(audio_in)::bigint as audio_in, sum(output)::bigint as output,
      sum(audio_out)::bigint as audio_out
    from sold_day where day >= ${day.toISOString().slice(0, 10)}::date and price_name <> ''
    group by price_name, "group"`.execute(db)
  return rows
}

/** The first day with data. */
export async function firstDay(db: Db): Promise<Date | undefined> {
  const { rows } = await sql<{ day: Date | null }>`
    select min(day)::timestamp at time zone 'UTC' as day from sold_day where price_name <> ''`.execute(db)
  return rows[0]?.day ?? undefined
}
