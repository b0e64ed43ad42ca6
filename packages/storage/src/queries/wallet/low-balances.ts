import { MAX_QUOTA, optionDefinition } from '@tidegate/contract'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../connection/connect.ts'

/**
 * Below this a balance is low: the user's own figure, else the one of the site. Read with care for its kind, because
 * credit is booked in statements that hold it, and no odd value in a settings column may stop those.
 */
const threshold = sql<number>`coalesce(
  case when jsonb_typeof(setting -> 'quota_warning_threshold') = 'number'
    then (setting ->> 'quota_warning_threshold')::numeric end,
  (select value::numeric from option where key = 'QuotaRemindThreshold' and value ~ '^[0-9]{1,16}$'),
  ${sql.lit(optionDefinition('QuotaRemindThreshold').default)})`

const leased = sql<number>`coalesce(
  (select sum(amount) from credit_lease l where l.user_id = "user".id and l.token_id = 0), 0)::bigint`
/** What a user can spend: the balance, and what processes hold of it. */
const spendable = sql<number>`quota + ${leased}`

/** Who was charged in the last hours, the current one included. */
function chargedUsers(hours: number) {
  return sql`(
    select user_id from usage_rollup
    where hour > now() - make_interval(hours => ${hours + 1}) and quota > 0)`
}

/**
 * The mark of a user whose own balance is changed by an amount: what lifts it over the threshold ends the mark at once,
 * since all of it may be spent before anybody looks.
 */
export function markAfter(amount: number | RawBuilder<number>): RawBuilder<Date | null> {
  return sql`case when low_balance_since is null then null
    when ${spendable} + ${amount}::bigint >= ${threshold} then null else low_balance_since end`
}

/** Lets those who were charged lately and have enough again be warned again. Never waits for a booking. */
export async function clearRisen(db: Db, hours: number): Promise<void> {
  await sql`
    update "user" set low_balance_since = null where id in (
      select id from "user"
      where low_balance_since is not null and id in ${chargedUsers(hours)} and ${spendable} >= ${threshold}
      order by id for no key update skip locked
    )`.execute(db)
}

/** Users who were charged lately, have little left, and are not marked for it. */
export async function findUnmarked(db: Db, hours: number, limit: number): Promise<number[]> {
  // The balance alone says no for nearly everybody; only the few that are left have their leases added up.
  const { rows } = await sql<{ id: number }>`
    select id from "user"
    where low_balance_since is null and deleted_at is null and id in ${chargedUsers(hours)}
      and quota < ${threshold} and ${spendable} < ${threshold}
    order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export interface LowBalance {
  left: number
  threshold: number
}

/** Marks a user whose balance is low, and tells by how much; undefined when it is not, or somebody else did. */
export async function mark(transaction: Db, userId: number): Promise<LowBalance | undefined> {
  // Locked first: a statement that waited for a booking would still add up the leases from before it.
  await sql`select from "user" where id = ${userId} for no key update`.execute(transaction)
  const { rows } = await sql<LowBalance>`
    update "user" set low_balance_since = now()
    where id = ${userId} and low_balance_since is null and deleted_at is null and ${spendable} < ${threshold}
    returning ${spendable} as left, least(round(${threshold}), ${sql.lit(MAX_QUOTA)})::bigint as threshold`.execute(
    transaction,
  )
  return rows[0]
}
