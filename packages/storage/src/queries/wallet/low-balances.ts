import { MAX_QUOTA, optionDefinition } from '@tidegate/contract'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../connection/connect.ts'

/**
 * The warning threshold of the user, otherwise of the site. Checks the JSON type first, because settlement statements
 * contain this expression and must not fail on an invalid setting.
 */
const threshold = sql<number>`coalesce(
  case when jsonb_typeof(setting -> 'quota_warning_threshold') = 'number'
    then (setting ->> 'quota_warning_threshold')::numeric end,
  (select value::numeric from option where key = 'QuotaRemindThreshold' and value ~ '^[0-9]{1,16}$'),
  ${sql.lit(optionDefinition('QuotaRemindThreshold').default)})`

const leased = sql<number>`coalesce(
  (select sum(amount) from credit_lease l where l.user_id = "user".id and l.token_id = 0), 0)::bigint`
/** The balance, including credit leases of gateways. */
const spendable = sql<number>`quota + ${leased}`

/** Users who were charged in the last hours, including the current one. */
function chargedUsers(hours: number) {
  return sql`(
    select user_id from usage_rollup
    where hour > now() - make_interval(hours => ${hours + 1}) and quota > 0)`
}

/**
 * The mark after a change of the balance. Reaching the threshold clears it immediately, because the balance may be
 * spent before the next check.
 */
export function markAfter(amount: number | RawBuilder<number>): RawBuilder<Date | null> {
  return sql`case when low_balance_since is null then null
    when ${spendable} + ${amount}::bigint >= ${threshold} then null else low_balance_since end`
}

/**
 * Clears the mark of recently charged users who are above the threshold again. Skips locked rows, so it never waits for
 * settlement.
 */
export async function clearRecovered(db: Db, hours: number): Promise<void> {
  await sql`
    update "user" set low_balance_since = null where id in (
      select id from "user"
      where low_balance_since is not null and id in ${chargedUsers(hours)} and ${spendable} >= ${threshold}
      order by id for no key update skip locked
    )`.execute(db)
}

/** Recently charged users below the threshold who are not marked yet. */
export async function findUnmarked(db: Db, hours: number, limit: number): Promise<number[]> {
  // The balance alone excludes nearly all users; leases are summed only for the rest.
  const { rows } = await sql<{ id: number }>`
    select id from "user"
    where low_balance_since is null and deleted_at is null and id in ${chargedUsers(hours)}
      and quota < ${threshold} and ${spendable} < ${threshold}
    order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Recently charged users below the threshold, the lowest balance first, each with the number of all of them. */
export async function listRecent(
  db: Db,
  { hours, limit }: { hours: number; limit: number },
): Promise<(LowBalance & { id: number; username: string; total: number })[]> {
  const { rows } = await sql<LowBalance & { id: number; username: string; total: number }>`
    select id, username, ${spendable} as left, least(round(${threshold}), ${sql.lit(MAX_QUOTA)})::bigint as threshold,
      count(*) over () as total
    from "user"
    where deleted_at is null and id in ${chargedUsers(hours)} and quota < ${threshold} and ${spendable} < ${threshold}
    order by 3, id limit ${limit}`.execute(db)
  return rows
}

export interface LowBalance {
  left: number
  threshold: number
}

/** Marks a user with a low balance and returns the amounts; undefined when it is not low or was marked before. */
export async function mark(transaction: Db, userId: number): Promise<LowBalance | undefined> {
  // Lock first: a statement that waited for settlement would still sum the leases from before it.
  await sql`select from "user" where id = ${userId} for no key update`.execute(transaction)
  const { rows } = await sql<LowBalance>`
    update "user" set low_balance_since = now()
    where id = ${userId} and low_balance_since is null and deleted_at is null and ${spendable} < ${threshold}
    returning ${spendable} as left, least(round(${threshold}), ${sql.lit(MAX_QUOTA)})::bigint as threshold`.execute(
    transaction,
  )
  return rows[0]
}
