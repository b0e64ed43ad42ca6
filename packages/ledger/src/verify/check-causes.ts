import { sql, type RawBuilder } from 'kysely'
import type { Db } from '@tidegate/storage'
import { ProblemList, type Findings } from './problems.ts'

interface Entry {
  id: number
  user_id: number
  token_id: number
  kind: string
  amount: number
  reference: string
}

/** Every ledger entry has the cause it names, and every cause has its entry. */
export async function checkCauses(transaction: Db): Promise<Findings> {
  const problems = new ProblemList('ledger')
  const { rows: entries } = await sql<Entry>`
    select e.id, e.user_id, e.token_id, e.kind, e.amount, e.reference from ledger_entry e
    where not (case
      when e.token_id <> 0 then e.kind = 'token_limit' and ${tokenLimit}
      ${sql.join(
        Object.entries(CAUSES).map(([kind, cause]) => sql`when e.kind = ${sql.lit(kind)} then ${cause}`),
        sql` `,
      )}
      else false end)
    order by e.id limit 1000`.execute(transaction)
  for (const { id, user_id, token_id, kind, amount, reference } of entries) {
    const account = token_id === 0 ? `user ${user_id}` : `token ${token_id} of user ${user_id}`
    problems.add(`entry ${id} (${kind} of ${amount} for ${account}, reference '${reference}') has no matching cause`)
  }
  for (const query of EFFECTS) {
    const { rows } = await query.execute(transaction)
    for (const { cause } of rows) problems.add(`${cause} has no ledger entry`)
  }
  return { problems: problems.lines, notes: [] }
}

const isImported = (kind: string, id: RawBuilder<unknown>) =>
  sql`exists (select from imported_row i where i.kind = ${sql.lit(kind)} and i.target_id = ${id})`

/** A token limit moves none of the user's money; it only needs the token. */
const tokenLimit = sql`exists (select from token t where t.id = e.token_id and t.user_id = e.user_id)`

/** The order of a reversal, whose reference ends with the number of the reversal. */
const reversedOrder = (user: string) => sql`exists (
  select from top_up t where t.trade_no = substring(e.reference from '^top_up:(.*):\\d+$') and t.status = 'success'
    and ${sql.ref(user)} = e.user_id
    and substring(e.reference from ':(\\d{1,9})$')::integer <= t.reversal_entries)`

/**
 * By kind: whether the cause of entry `e` exists and matches it. Signup credit is written in the transaction of the new
 * user, an administrator's change in that of its audit event. Both rows then have the same time to the microsecond.
 */
const CAUSES: Readonly<Record<string, RawBuilder<unknown>>> = {
  setup_grant: sql`(
    e.reference = 'setup' and exists (select from setup)
      and not exists (select from ledger_entry o where o.kind = 'setup_grant' and o.reference = 'setup' and o.id < e.id)
    or e.reference = 'import' and exists (
      select from imported_row i where i.source = e.details ->> 'source' and i.kind = 'user'
        and i.source_id = e.details ->> 'source_id' and i.target_id = e.user_id))`,
  signup_gift: sql`e.reference = 'signup'
    and exists (select from "user" u where u.id = e.user_id and u.created_at = e.created_at)`,
  invite_reward: sql`e.reference = 'invite' and exists (
    select from "user" u where u.id = e.user_id and u.created_at = e.created_at
      and u.inviter_id::text = e.details ->> 'inviter_id')`,
  // Its cause is the earnings counter, which is compared elsewhere.
  invite_transfer: sql`e.amount > 0 and exists (select from "user" u where u.id = e.user_id)`,
  rebate: sql`exists (
    select from ledger_entry p join "user" u on u.id = p.user_id
    where p.token_id = 0 and p.kind = e.details ->> 'source' and p.kind in ('top_up', 'redemption')
      and p.reference = e.reference and p.user_id = (e.details ->> 'payer_id')::bigint and u.inviter_id = e.user_id
      and e.amount <= ceil(p.amount * (e.details ->> 'percentage')::numeric / 100))`,
  top_up: sql`exists (
    select from top_up t where t.trade_no = substring(e.reference from '^top_up:(.*)$') and t.user_id = e.user_id
      and t.status = 'success' and t.quota = e.amount)`,
  top_up_refund: reversedOrder('t.user_id'),
  top_up_dispute: reversedOrder('t.user_id'),
  top_up_failed: reversedOrder('t.user_id'),
  rebate_reversal: reversedOrder('t.rebate_user_id'),
  redemption: sql`exists (
    select from redemption r join redemption_use s on s.redemption_id = r.id
    where r.id = substring(e.reference from '^redemption:(\\d{1,18})$')::bigint and s.user_id = e.user_id and r.quota = e.amount)`,
  check_in: sql`exists (
    select from check_in c where c.user_id = e.user_id and 'check_in:' || c.day = e.reference and c.reward = e.amount)`,
  admin_change: sql`exists (
    select from audit_event a where a.action = 'user.balance' and a.subject = e.user_id::text
      and a.created_at = e.created_at and a.details ->> 'amount' = e.amount::text
      and a.actor_id is not distinct from e.actor_id)`,
  refund: sql`exists (
    select from task t where t.id = substring(e.reference from ':(\\d{1,18})$')::bigint
      and t.kind || ':' || t.id = e.reference and t.user_id = e.user_id
      and t.refunded_at is not null and t.charged = e.amount)`,
}

const entryOf = (kind: string, user: string, reference: RawBuilder<unknown>) => sql`exists (
  select from ledger_entry e where e.user_id = ${sql.ref(user)} and e.token_id = 0 and e.kind = ${sql.lit(kind)}
    and e.reference = ${reference} and e.reference <> '')`

/** The total of an order's reversals, which must equal the order. */
function reversedBy(user: string, kind: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce((
    select sum(e.amount) from ledger_entry e where e.user_id = ${sql.ref(user)} and e.token_id = 0 and ${kind}
      and e.kind in ('top_up_refund', 'top_up_dispute', 'top_up_failed', 'rebate_reversal')
      and e.reference ~ '^top_up:.*:\\d+$' and substring(e.reference from '^top_up:(.*):\\d+$') = t.trade_no), 0)`
}

/** Causes without an entry. What was imported is part of the imported balance. */
const EFFECTS: readonly RawBuilder<{ cause: string }>[] = [
  sql`select 'payment order ' || t.trade_no as cause from top_up t where t.status = 'success'
    and not ${entryOf('top_up', 't.user_id', sql`'top_up:' || t.trade_no`)}
    and not ${isImported('top_up', sql`t.id`)} order by t.id limit 1000`,
  sql`select 'reversal of payment order ' || t.trade_no as cause from top_up t
    where (t.reversal_entries > 0 or t.reversed_quota > 0 or t.rebate_reversed > 0)
      and (t.reversed_quota - t.owed_quota <> -${reversedBy('t.user_id', sql`e.kind <> 'rebate_reversal'`)}
      or t.rebate_reversed - t.rebate_owed <> -${reversedBy('t.rebate_user_id', sql`e.kind = 'rebate_reversal'`)})
    order by t.id limit 1000`,
  sql`select 'reversed share of payment order ' || t.trade_no as cause from top_up t left join lateral (
      select least(t.money, coalesce(sum(r.money), 0)) as part from payment_reversal r where r.top_up_id = t.id and r.active) a on true
    where t.status = 'success' and (t.reversal <> '' or a.part > 0 or t.reversed_quota > 0) and t.reversed_money <> a.part
    order by t.id limit 1000`,
  sql`select 'redemption code ' || s.redemption_id || ' used by user ' || s.user_id as cause from redemption_use s
    where not ${entryOf('redemption', 's.user_id', sql`'redemption:' || s.redemption_id`)}
    and not ${isImported('redemption', sql`s.redemption_id`)} order by s.redemption_id, s.user_id limit 1000`,
  sql`select 'check-in of user ' || c.user_id || ' on ' || c.day as cause from check_in c
    where not ${entryOf('check_in', 'c.user_id', sql`'check_in:' || c.day`)} order by c.user_id, c.day limit 1000`,
  sql`select 'refunded task ' || t.id || ' of user ' || t.user_id as cause from task t where t.refunded_at is not null
    and not ${entryOf('refund', 't.user_id', sql`t.kind || ':' || t.id`)} order by t.id limit 1000`,
  sql`select 'audit event ' || a.id || ' (balance of user ' || a.subject || ')' as cause from audit_event a
    where a.action = 'user.balance' and not exists (
      select from ledger_entry e where e.user_id::text = a.subject and e.token_id = 0 and e.kind = 'admin_change'
        and e.created_at = a.created_at and e.amount::text = a.details ->> 'amount') order by a.id limit 1000`,
]
