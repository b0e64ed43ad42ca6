import type { Db, LogBooks, LoggedHour } from '@tidegate/storage'
import { sql } from 'kysely'
import { BILLED, compareBill } from './check-logs.ts'
import { ProblemList, type Findings } from './problems.ts'

/** Another store has log rows of this site. */
export interface StoredLogs {
  /** Outside the snapshot of the verification. */
  readonly db: Db
  readonly books: LogBooks
}

/** Parcels are fixed while the store is read; with this many tries, one reading has no new ones. */
const MAX_READINGS = 5
const CHECKED_BILLS = 20_000

/**
 * Compares roll-ups with log rows by hour, where most rows are in another store: rows of PostgreSQL, rows in the outbox,
 * and rows that the store has of parcels that had arrived when the snapshot began.
 */
export async function checkLogStore(transaction: Db, { db, books }: StoredLogs): Promise<Findings> {
  const problems = new ProblemList('usage log')
  const floor = await completeFrom(transaction)
  const open = await tokensOf(transaction, sql`shipped_at is null`)
  const last = await lastParcel(transaction)
  const stored = await readSettled(
    () => tokensOf(db, sql`id > ${last}`),
    open,
    (without) => books.sumHours(floor, without),
  )
  for (const difference of await compareHours(transaction, floor, stored)) problems.add(difference)
  for (const difference of await compareParcels(transaction, floor, books)) problems.add(difference)
  const bills = new ProblemList('bill')
  for (const row of await books.newestBills(CHECKED_BILLS)) {
    const difference = compareBill(row)
    if (difference) bills.add(`log row ${row.id} (request ${row.request_id || 'unknown'}): ${difference}`)
  }
  const notes = [
    `Log rows in the other store are compared by hour, from ${floor.toISOString()} on, and the newest ${CHECKED_BILLS} bills.`,
  ]
  return { problems: [...problems.lines, ...bills.lines], notes }
}

/** Reads until no parcel was fixed meanwhile that the reading could contain. */
async function readSettled<Result>(
  fixedSince: () => Promise<string[]>,
  open: readonly string[],
  read: (without: readonly string[]) => Promise<Result>,
): Promise<Result> {
  let added = await fixedSince()
  for (let reading = 1; ; reading += 1) {
    const result = await read([...open, ...added])
    const now = await fixedSince()
    if (now.length === added.length || reading === MAX_READINGS) return result
    added = now
  }
}

async function completeFrom(transaction: Db): Promise<Date> {
  const { rows } = await sql<{ seconds: number }>`
    select greatest(extract(epoch from complete_from), 0)::float8 as seconds from usage_log_floor`.execute(transaction)
  return new Date(Number.isFinite(rows[0]!.seconds) ? rows[0]!.seconds * 1000 : 0)
}

async function tokensOf(db: Db, condition: ReturnType<typeof sql>): Promise<string[]> {
  const { rows } = await sql<{ token: string }>`select token from log_parcel where ${condition}`.execute(db)
  return rows.map(({ token }) => token)
}

async function lastParcel(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0)::bigint as id from log_parcel`.execute(db)
  return rows[0]!.id
}

interface HourDifference {
  hour: string
  rows: number
  quota: number
  logged_requests: number
  logged_quota: number
}

async function compareHours(transaction: Db, floor: Date, stored: readonly LoggedHour[]): Promise<string[]> {
  const from = sql.lit(floor.toISOString())
  const { rows } = await sql<HourDifference>`
    with thinned as materialized (select hours_from from usage_log_floor),
    logged as (
      select date_trunc('hour', created_at, 'UTC') as hour, count(*) as rows, sum(quota) as quota
      from usage_log where ${BILLED} and created_at >= ${from} group by 1
      union all
      select to_timestamp(s.hour), s.rows, s.quota
      from log_outbox o left join log_parcel p on p.id = o.parcel,
        jsonb_to_recordset(o.sums) as s(hour bigint, rows bigint, quota bigint)
      where p.shipped_at is null and to_timestamp(s.hour) >= ${from}
      union all
      select to_timestamp(s.hour), s.rows, s.quota
      from json_to_recordset(${JSON.stringify(stored)}::json) as s(hour bigint, rows bigint, quota bigint)
    ), both_sides as (
      select hour, rows, quota, 0 as logged_requests, 0 as logged_quota from logged
      union all
      select hour, 0, 0, logged_requests, logged_quota from usage_rollup where hour >= ${from}
    )
    select to_char(period at time zone 'UTC', 'YYYY-MM-DD"T"HH24"Z"') as hour, sum(rows)::bigint as rows,
      sum(quota)::bigint as quota, sum(logged_requests)::bigint as logged_requests,
      sum(logged_quota)::bigint as logged_quota
    from both_sides, thinned, lateral (
      select case when hour < hours_from then date_trunc('day', hour, 'UTC') else hour end as period
    ) of_time
    group by period having sum(rows) <> sum(logged_requests) or sum(quota) <> sum(logged_quota)
    order by period`.execute(transaction)
  return rows.map(
    (row) =>
      `hour ${row.hour}: ${row.rows} rows of ${row.quota} in both stores, ` +
      `the roll-ups say ${row.logged_requests} of ${row.logged_quota}`,
  )
}

interface ParcelSums {
  id: number
  token: string
  first_at: Date
  rows: number
  quota: number
}

/** Compares what the outbox remembers of arrived parcels with what the store has of them. */
async function compareParcels(transaction: Db, floor: Date, books: LogBooks): Promise<string[]> {
  const { rows: parcels } = await sql<ParcelSums>`
    select p.id, p.token, p.first_at, coalesce(sum(s.rows), 0)::bigint as rows, coalesce(sum(s.quota), 0)::bigint as quota
    from log_parcel p join log_outbox o on o.parcel = p.id
    left join lateral jsonb_to_recordset(o.sums) as s(hour bigint, rows bigint, quota bigint) on true
    where p.shipped_at is not null and p.attempts > 0 and p.first_at >= ${floor}
    group by 1 order by 1`.execute(transaction)
  if (parcels.length === 0) return []
  const first = new Date(Math.min(...parcels.map((parcel) => parcel.first_at.getTime())))
  const stored = new Map((await books.sumParcels(first)).map((parcel) => [parcel.token, parcel]))
  return parcels.flatMap(({ id, token, rows, quota }) => {
    const { rows: found, quota: foundQuota } = stored.get(token) ?? { rows: 0, quota: 0 }
    if (found === rows && foundQuota === quota) return []
    return [`parcel ${id}: the store has ${found} charged rows of ${foundQuota}, ${rows} of ${quota} were sent`]
  })
}

/** Parcels that arrived and are not complete in the store. */
export async function findDamagedParcels(db: Db, books: LogBooks): Promise<number[]> {
  const lines = await compareParcels(db, await completeFrom(db), books)
  return lines.map((line) => Number(/^parcel (\d+)/.exec(line)![1]))
}
