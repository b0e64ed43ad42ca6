import { sql, type RawBuilder } from 'kysely'
import type { Db } from '@tidegate/storage'

export interface Imbalance {
  user_id: number
  token_id: number
  /** The balance including leases. */
  held: number
  /** The balance according to entries and usage. */
  expected: number
}

/**
 * Checks for every account that balance + leases = sum of entries − sum of usage. Returns the accounts that differ. One
 * statement, so it reads one snapshot.
 */
export async function findImbalances(db: Db): Promise<Imbalance[]> {
  const { rows } = await sql<Imbalance>`
    with entries as (select user_id, token_id, sum(amount) amount from ledger_entry group by user_id, token_id),
         leases as (select user_id, token_id, sum(amount) amount from credit_lease group by user_id, token_id),
         used as (select user_id, sum(quota) amount from usage_rollup group by user_id),
         account as (
           select u.id user_id, 0::bigint token_id,
                  u.quota + coalesce(l.amount, 0) held,
                  coalesce(e.amount, 0) - coalesce(s.amount, 0) expected
           from "user" u
           left join entries e on e.user_id = u.id and e.token_id = 0
           left join leases l on l.user_id = u.id and l.token_id = 0
           left join used s on s.user_id = u.id
           union all
           select t.user_id, t.id,
                  t.remain_quota + coalesce(l.amount, 0),
                  coalesce(e.amount, 0) - t.drawn_quota
           from token t
           left join entries e on e.user_id = t.user_id and e.token_id = t.id
           left join leases l on l.user_id = t.user_id and l.token_id = t.id
         )
    select user_id, token_id, held::bigint held, expected::bigint expected
    from account where held <> expected
    order by user_id, token_id
  `.execute(db)
  return rows
}

/** The hour, or the first one of its day where sums are kept by day. */
const HOUR = sql`case when hour < thinned.hours_from then date_trunc('day', hour, 'UTC') else hour end`
/** The day, or the first one of its month where sums are kept by month. */
const dayOf = (day: RawBuilder<unknown>) =>
  sql`case when ${day} < thinned.days_from then date_trunc('month', ${day})::date else ${day} end`

export interface RollupDifference {
  table: string
  /** The part of the sum that differs, such as `user 5, 2026-11-17, model gpt-5`. */
  part: string
  quota: number
  /** According to the roll-ups. */
  expected: number
}

/**
 * Usage sums that differ from the roll-ups. Sums by channel are skipped, because an upgraded site has them from its log
 * only.
 */
export async function findRollupDifferences(db: Db): Promise<RollupDifference[]> {
  if (!db.isTransaction) return db.transaction().execute(findRollupDifferences)
  // Compiling the statement takes about a second, also without any rows.
  await sql`set local jit = off`.execute(db)
  const { rows } = await sql<RollupDifference>`
    with thinned as materialized (
      select hours_from, days_from from usage_log_floor
    ), by_hour as (
      select user_id, ${HOUR} as hour, ${dayOf(sql`(hour at time zone 'UTC')::date`)} as day,
        model_name, quota
      from usage_rollup, thinned
    ), parts as (
      select 'site_hour' as table, concat('hour ', ${HOUR} at time zone 'UTC', ', model ', model_name) as part, quota,
        0 as expected from site_hour, thinned
      union all select 'site_hour', concat('hour ', hour at time zone 'UTC', ', model ', model_name), 0, quota from by_hour
      union all select 'site_day', concat(${dayOf(sql`day`)}, ', model ', model_name), quota, 0 from site_day, thinned
      union all select 'site_day', concat(day, ', model ', model_name), 0, quota from by_hour
      union all select 'user_day', concat('user ', user_id, ', ', ${dayOf(sql`day`)}, ', model ', model_name), quota, 0
        from user_day, thinned
      union all select 'user_day', concat('user ', user_id, ', ', day, ', model ', model_name), 0, quota from by_hour
      union all select 'spender_day', concat('user ', user_id, ', ', ${dayOf(sql`day`)}), quota, 0 from spender_day, thinned
      union all select 'spender_day', concat('user ', user_id, ', ', day), 0, quota from by_hour
      union all select 'sold_day', concat(${dayOf(sql`day`)}), quota, 0 from sold_day, thinned
      union all select 'sold_day', concat(day), 0, quota from by_hour
    )
    select parts.table, part, sum(quota)::bigint as quota, sum(expected)::bigint as expected
    from parts group by 1, 2 having sum(quota) <> sum(expected) order by 1, 2 limit 1000`.execute(db)
  return rows
}
