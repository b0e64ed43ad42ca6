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
