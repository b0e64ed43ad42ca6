import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'

/** A table of usage sums by time. */
interface SumTable {
  readonly table: string
  readonly keys: readonly string[]
  readonly sums: readonly string[]
  /** Has rows by shard, so that processes do not wait for each other. Thinned rows have shard 0. */
  readonly isSharded?: boolean
}

const SITE_SUMS = ['requests', 'quota', 'tokens']
const SOLD_SUMS = [
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
]

const BY_HOUR: readonly SumTable[] = [
  {
    table: 'usage_rollup',
    keys: ['user_id', 'model_name'],
    sums: ['requests', 'quota', 'prompt_tokens', 'completion_tokens', 'logged_requests', 'logged_quota'],
  },
  { table: 'site_hour', keys: ['model_name', 'group'], sums: SITE_SUMS, isSharded: true },
]

const BY_DAY: readonly SumTable[] = [
  { table: 'user_day', keys: ['user_id', 'model_name', 'token_name', 'group'], sums: SITE_SUMS },
  { table: 'spender_day', keys: ['user_id'], sums: SITE_SUMS },
  { table: 'channel_day', keys: ['channel_id', 'model_name', 'group'], sums: SITE_SUMS, isSharded: true },
  { table: 'site_day', keys: ['model_name', 'group'], sums: SITE_SUMS, isSharded: true },
  { table: 'sold_day', keys: ['price_name', 'group'], sums: SOLD_SUMS, isSharded: true },
]

/**
 * Adds the hours of the oldest UTC day before a time to its first hour. Returns false if there is no such day. All
 * tables change together, and `usage_log_floor` records the day, so that `tidegate verify` compares days there.
 */
export function thinOldestDay(db: Db, before: Date): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ start: string }>`
      select date_trunc('day', start, 'UTC')::text as start from (
        select least((select min(hour) from usage_rollup where hour >= hours_from),
          (select min(hour) from site_hour where hour >= hours_from)) as start
        from usage_log_floor for update
      ) oldest where start < date_trunc('day', ${before}::timestamptz, 'UTC')`.execute(transaction)
    const start = rows[0]?.start
    if (start === undefined) return false
    const end = sql`${start}::timestamptz + interval '1 day'`
    await sql`update usage_log_floor set hours_from = ${end}`.execute(transaction)
    for (const table of BY_HOUR) await thin(transaction, table, 'hour', { start: sql`${start}::timestamptz`, end })
    return true
  })
}

/** Adds the days of the oldest month that ended before a time to its first day. Returns false if there is none. */
export function thinOldestMonth(db: Db, before: Date): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ start: string }>`
      select date_trunc('month', start)::date::text as start from (
        select least((select min(day) from spender_day where day >= days_from),
          (select min(day) from site_day where day >= days_from)) as start
        from usage_log_floor for update
      ) oldest
      where start < date_trunc('month', ${before}::timestamptz at time zone 'UTC')::date`.execute(transaction)
    const start = rows[0]?.start
    if (start === undefined) return false
    const end = sql`(${start}::date + interval '1 month')::date`
    await sql`update usage_log_floor set days_from = ${end}`.execute(transaction)
    for (const table of BY_DAY) await thin(transaction, table, 'day', { start: sql`${start}::date`, end })
    return true
  })
}

type Moment = ReturnType<typeof sql>

/** One statement: a settlement that adds to a row meanwhile waits, and then adds a new row, which stays as it is. */
async function thin(
  db: Db,
  { table, keys, sums, isSharded = false }: SumTable,
  time: 'hour' | 'day',
  { start, end }: { start: Moment; end: Moment },
): Promise<void> {
  const columns = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))
  const isMoved = isSharded ? sql`(${sql.ref(time)} > ${start} or shard <> 0)` : sql`${sql.ref(time)} > ${start}`
  const shard = isSharded ? { names: ['shard'], value: sql`, 0` } : { names: [], value: sql`` }
  await sql`
    with moved as (
      delete from ${sql.table(table)}
      where ${sql.ref(time)} >= ${start} and ${sql.ref(time)} < ${end} and ${isMoved}
      returning ${columns([...keys, ...sums])}
    )
    insert into ${sql.table(table)} as kept (${columns([time, ...shard.names, ...keys, ...sums])})
    select ${start}${shard.value}, ${columns(keys)}, ${sql.join(sums.map((name) => sql`sum(${sql.ref(name)})`))}
    from moved group by ${columns(keys)} order by ${columns(keys)}
    on conflict (${columns([time, ...keys, ...shard.names])}) do update set
      ${sql.join(sums.map((name) => sql`${sql.ref(name)} = kept.${sql.ref(name)} + excluded.${sql.ref(name)}`))}`.execute(
    db,
  )
}
