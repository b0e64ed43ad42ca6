import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { fromSeconds, type LogFilters } from '../log-store.ts'
import { isScanned } from './conditions.ts'
import { sumNewest, sumQuota } from './rows.ts'

/** Milliseconds since 1970; `to` may be Infinity. */
interface Span {
  readonly from: number
  readonly to: number
}

/** What log rows add up to, where no roll-up has the filters. */
interface RowSums {
  sumQuota(filters: LogFilters): Promise<number>
  /** For filters without an index. */
  sumNewest(filters: LogFilters): Promise<{ quota: number; capped: boolean }>
}

/** A roll-up table for one unit of time. */
interface Rollup {
  readonly table: 'site_day' | 'site_hour' | 'channel_day' | 'user_day'
  readonly unit: 'day' | 'hour'
  readonly conditions: readonly RawBuilder<unknown>[]
}

const UNIT_MS = { day: 86_400_000, hour: 3_600_000 } as const

/**
 * The cost of the requests that match the filters. Whole days and hours come from roll-ups that are written with
 * settlement batches, so that millions of rows need not be read. Only the ends of the span come from log rows. Filters
 * that no roll-up supports use log rows only; `capped` means that older rows of the span were not read.
 */
export async function sumCost(
  db: Db,
  filters: LogFilters,
  now: Date,
  rows: RowSums = {
    sumQuota: (part) => sumQuota(db, part),
    sumNewest: (part) => sumNewest(db, part),
  },
): Promise<{ quota: number; capped: boolean }> {
  if (isScanned(filters)) return rows.sumNewest(filters)
  const from = filters.start_timestamp ? fromSeconds(filters.start_timestamp).getTime() : 0
  const end = filters.end_timestamp ? fromSeconds(filters.end_timestamp + 1).getTime() : Infinity
  // Nothing is settled in the future, so a day that has not ended is used whole.
  const to = end > now.getTime() ? Infinity : end
  return { quota: await sumSpan({ db, rows }, filters, rollupsFor(filters), { from, to }), capped: false }
}

/** Sums what the coarsest roll-up covers, and the rest from finer ones. */
async function sumSpan(
  { db, rows }: { readonly db: Db; readonly rows: RowSums },
  filters: LogFilters,
  [rollup, ...shorter]: readonly Rollup[],
  span: Span,
): Promise<number> {
  const { from, to } = span
  if (from >= to) return 0
  if (!rollup) return rows.sumQuota({ ...filters, ...secondsOf(span) })
  const unit = UNIT_MS[rollup.unit]
  const first = Math.ceil(from / unit) * unit
  const end = to === Infinity ? Infinity : Math.floor(to / unit) * unit
  if (first >= end) return sumSpan({ db, rows }, filters, shorter, span)
  const parts = await Promise.all([
    readRollup(db, rollup, { from: first, to: end }),
    sumSpan({ db, rows }, filters, shorter, { from, to: first }),
    sumSpan({ db, rows }, filters, shorter, { from: end, to }),
  ])
  return parts.reduce((sum, part) => sum + part, 0)
}

/** The roll-ups that support the filters, coarsest first. */
function rollupsFor(filters: LogFilters): Rollup[] {
  const { userId, userIds, channel, channels, token_name, models, group } = filters
  if (filters.request_id !== undefined || filters.tokenId !== undefined || filters.statuses) return []
  const conditions = [
    ...(models ? [sql`model_name = any(${models})`] : []),
    ...(group === undefined ? [] : [sql`"group" = ${group}`]),
  ]
  const owner = [
    ...(userId === undefined ? [] : [sql`user_id = ${userId}`]),
    ...(userIds ? [sql`user_id = any(${userIds})`] : []),
    ...(token_name === undefined ? [] : [sql`token_name = ${token_name}`]),
  ]
  const upstream = [
    ...(channel ? [sql`channel_id = ${channel}`] : []),
    ...(channels ? [sql`channel_id = any(${channels})`] : []),
  ]
  if (owner.length > 0 && upstream.length > 0) return [] // no roll-up has both dimensions
  if (owner.length > 0) return [{ table: 'user_day', unit: 'day', conditions: [...owner, ...conditions] }]
  if (upstream.length > 0) return [{ table: 'channel_day', unit: 'day', conditions: [...upstream, ...conditions] }]
  return [
    { table: 'site_day', unit: 'day', conditions },
    { table: 'site_hour', unit: 'hour', conditions },
  ]
}

async function readRollup(db: Db, { table, unit, conditions }: Rollup, { from, to }: Span): Promise<number> {
  const time = (moment: number) =>
    unit === 'day' ? sql`${new Date(moment).toISOString().slice(0, 10)}::date` : sql`${new Date(moment)}`
  const column = sql.ref(unit)
  const all = [
    ...conditions,
    sql`${column} >= ${time(from)}`,
    ...(to === Infinity ? [] : [sql`${column} < ${time(to)}`]),
  ]
  const { rows } = await sql<{ quota: number }>`
    select coalesce(sum(quota), 0)::bigint as quota from ${sql.table(table)}
    where ${sql.join(all, sql` and `)}`.execute(db)
  return rows[0]!.quota
}

/** Filters use whole seconds, both inclusive. */
function secondsOf({ from, to }: Span): Pick<LogFilters, 'start_timestamp' | 'end_timestamp'> {
  return {
    start_timestamp: Math.floor(from / 1000),
    ...(to !== Infinity && { end_timestamp: Math.floor(to / 1000) - 1 }),
  }
}
