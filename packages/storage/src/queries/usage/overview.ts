import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'

export interface OverviewHour {
  /** Unix seconds. */
  hour: number
  requests: number
  quota: number
}

interface Span {
  readonly from: Date
  readonly to: Date
}

/** Billed requests of the site by hour. */
export async function billedByHour(db: Db, { from, to }: Span): Promise<OverviewHour[]> {
  const { rows } = await sql<OverviewHour>`
    select extract(epoch from hour)::bigint as hour, sum(requests)::bigint as requests, sum(quota)::bigint as quota
    from site_hour where hour >= ${from} and hour < ${to} group by 1`.execute(db)
  return rows
}

/** Model requests of the site by hour, by whether a channel served them. */
export async function outcomesByHour(
  db: Db,
  { from, to }: Span,
): Promise<{ hour: number; served: number; failed: number }[]> {
  const { rows } = await sql<{ hour: number; served: number; failed: number }>`
    select extract(epoch from hour)::bigint as hour, sum(served)::bigint as served, sum(failed)::bigint as failed
    from model_hour where hour >= ${from} and hour < ${to} group by 1`.execute(db)
  return rows
}

/** Users with requests by hour, and in each whole span: there `hour` is null. */
export async function activeUsers(
  db: Db,
  spans: readonly Span[],
): Promise<{ span: number; hour: number | null; users: number }[]> {
  const parts = spans.map(
    ({ from, to }, index) => sql`
      select ${sql.lit(index)} as span, hour, user_id from usage_rollup where hour >= ${from} and hour < ${to}`,
  )
  const { rows } = await sql<{ span: number; hour: number | null; users: number }>`
    select span, extract(epoch from hour)::bigint as hour, count(distinct user_id) as users
    from (${sql.join(parts, sql` union all `)}) active
    group by grouping sets ((span, hour), (span))`.execute(db)
  return rows
}

/** The maximum number of log rows to read for a percentile. */
export const MAX_PERCENTILE_ROWS = 20_000

export interface FirstTokens {
  p95: number | null
  /** By start of the hour, Unix seconds. */
  hours: ReadonlyMap<number, number>
}

/** The 95th percentile of the time to the first token. Null without streams, and where there are too many rows. */
export async function firstTokenP95(db: Db, { from, to }: Span, maxRows = MAX_PERCENTILE_ROWS): Promise<FirstTokens> {
  const { rows } = await sql<{ hour: number | null; seen: number; p95: number | null }>`
    select hour, count(*) as seen,
      percentile_cont(0.95) within group (order by frt) filter (where is_stream and frt >= 0) as p95
    from (
      select extract(epoch from date_trunc('hour', created_at, 'UTC'))::bigint as hour,
        is_stream and not other ? 'test' as is_stream,
        case when jsonb_typeof(other -> 'frt') = 'number' then (other ->> 'frt')::float8 end as frt
      from usage_log where created_at >= ${from} and created_at < ${to} and type = 2 limit ${maxRows + 1}
    ) row group by grouping sets ((), (hour))`.execute(db)
  const whole = rows.find(({ hour }) => hour === null)!
  if (whole.seen > maxRows || whole.p95 === null) return { p95: null, hours: new Map() }
  const known = rows.flatMap(({ hour, p95 }) =>
    hour === null || p95 === null ? [] : [[hour, Math.round(p95)] as const],
  )
  return { p95: Math.round(whole.p95), hours: new Map(known) }
}
