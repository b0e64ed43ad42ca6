import type { Client } from 'pg'

/** Everybody's money in figures that differ as soon as one account does. Text, because sums may be large. */
export interface Books {
  users: string
  balances: string
  tokens: string
  tokenBalances: string
  leased: string
  entries: string
  used: string
  /** Of every account by number. */
  digest: string
}

export async function readBooks(client: Client): Promise<Books> {
  const { rows } = await client.query<Books>(`
    select (select count(*) from "user")::text as users,
           (select coalesce(sum(quota), 0) from "user")::text as balances,
           (select count(*) from token)::text as tokens,
           (select coalesce(sum(remain_quota), 0) from token)::text as "tokenBalances",
           (select coalesce(sum(amount), 0) from credit_lease)::text as leased,
           (select coalesce(sum(amount), 0) from ledger_entry)::text as entries,
           (select coalesce(sum(quota), 0) from usage_rollup)::text as used,
           md5(concat(
             (select string_agg(concat_ws(':', id, quota, used_quota, aff_quota), ',' order by id) from "user"), ';',
             (select string_agg(concat_ws(':', id, remain_quota, used_quota), ',' order by id) from token))) as digest`)
  return rows[0]!
}

/** The figures that differ, in words; none when the books are the same to the unit. */
export function compareBooks(one: Books, other: Books): string[] {
  return (Object.keys(one) as (keyof Books)[])
    .filter((name) => one[name] !== other[name])
    .map((name) => `${name}: ${one[name]} and ${other[name]}`)
}
