import { sql } from 'kysely'
import type { Db } from '@tidegate/storage'

export interface Imbalance {
  user_id: number
  token_id: number
  /** What the account holds, open leases included. */
  held: number
  /** What the entries and the recorded use say it should hold. */
  expected: number
}

/**
 * Proves the books: for every account, balance + open leases = Σ entries − Σ use. Gives the accounts that do not agree,
 * none when all is well. One statement, so it sees one moment.
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

export interface StraySum {
  table: string
  quota: number
  /** As the books have it. */
  expected: number
}

/** Sums of use that do not say what the books say. Channels' are left out: an older site knows them from its log only. */
export async function findStraySums(db: Db): Promise<StraySum[]> {
  const { rows } = await sql<StraySum>`
    with books as (select coalesce(sum(quota), 0)::bigint as expected from usage_rollup),
         sums as (
           select 'site_hour' as table, sum(quota) as quota from site_hour
           union all select 'site_day', sum(quota) from site_day
           union all select 'user_day', sum(quota) from user_day
           union all select 'spender_day', sum(quota) from spender_day
           union all select 'sold_day', sum(quota) from sold_day
         )
    select sums.table, coalesce(sums.quota, 0)::bigint as quota, books.expected from sums, books
    where coalesce(sums.quota, 0) <> books.expected`.execute(db)
  return rows
}
