import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'

export interface StatementFilters {
  kind?: string
  start_timestamp?: number
  end_timestamp?: number
  /** By hour if it is not set. */
  usage_by?: 'hour' | 'day'
  /** Of the days, UTC if it is not set. */
  timezone?: string
}

export interface StatementRow {
  at: Date
  kind: string
  amount: number
  balance: number
  reference: string
  requests: number
  actor_id: number | null
  actor: string | null
}

/**
 * Lines of a user's account, newest first, and their number. Usage appears at the end of its hour or day. A balance is
 * the sum of all lines up to its own, regardless of filters.
 */
export async function page(
  db: Db,
  userId: number,
  now: Date,
  filters: StatementFilters,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: StatementRow[]; total: number }> {
  const { rows } = await sql<StatementRow & { total: number }>`
    with line as (
      select created_at as at, 0 as source_order, id, kind, amount, reference, 0::bigint as requests, actor_id
      from ledger_entry where user_id = ${userId} and token_id = 0
      union all
      select least(until, ${now}::timestamptz), 1, extract(epoch from until)::bigint, 'usage',
             -sum(quota)::bigint, '', sum(requests)::bigint, null
      from (select ${endOfUsage(filters)} as until, quota, requests from usage_rollup where user_id = ${userId}) as used
      group by until having sum(quota) <> 0
    ),
    statement as (select line.*, sum(amount) over (order by at, source_order, id)::bigint as balance from line)
    select statement.at, statement.kind, statement.amount, statement.balance, statement.reference, statement.requests, statement.actor_id,
           "user".username as actor, (count(*) over ())::bigint as total
    from statement left join "user" on "user".id = statement.actor_id
    where ${where(filters)}
    order by statement.at desc, statement.source_order desc, statement.id desc
    limit ${limit} offset ${offset}`.execute(db)
  return { rows, total: rows[0]?.total ?? 0 }
}

/** The end of the hour of a roll-up, or the last second of its day. */
function endOfUsage({ usage_by, timezone = 'UTC' }: StatementFilters) {
  if (usage_by !== 'day') return sql`hour + interval '1 hour'`
  const nextDay = sql`((hour at time zone ${timezone}::text)::date + 1)::timestamp`
  return sql`(${nextDay} at time zone ${timezone}::text) - interval '1 second'`
}

function where({ kind, start_timestamp, end_timestamp }: StatementFilters) {
  const conditions = [
    kind === undefined ? undefined : sql`statement.kind = ${kind}`,
    start_timestamp === undefined ? undefined : sql`statement.at >= to_timestamp(${start_timestamp})`,
    end_timestamp === undefined ? undefined : sql`statement.at < to_timestamp(${end_timestamp} + 1)`,
  ].filter((condition) => condition !== undefined)
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}
