import { sql, type RawBuilder } from 'kysely'
import type { Db } from '@tidegate/storage'
import { BILLED } from './check-logs.ts'
import { ProblemList, type Findings } from './problems.ts'

interface CounterDifference {
  name: string
  counter: number
  min: number
  max: number
}

/**
 * Compares counters of usage and invite earnings with the sums and ledger entries they come from. Single tokens are
 * compared with log rows where PostgreSQL has the whole log.
 */
export async function checkCounters(transaction: Db, hasWholeLog: boolean): Promise<Findings> {
  const problems = new ProblemList('counter')
  for (const query of [users, channels, tokensOfUsers, ...(hasWholeLog ? [tokens] : []), earnings]) {
    const { rows } = await query.execute(transaction)
    for (const { name, counter, min, max } of rows) {
      const expected = min === max ? min : `between ${min} and ${max}`
      problems.add(`${name} is ${counter}, should be ${expected}`)
    }
  }
  return { problems: problems.lines, notes: [] }
}

const offset = (kind: string, id: string) =>
  sql`coalesce((select o.quota from counter_offset o where o.kind = ${kind} and o.id = ${sql.ref(id)}), 0)`

/** Usage in the roll-ups minus refunds. */
const users: RawBuilder<CounterDifference> = sql`
  with expected as (
    select u.id, u.used_quota as counter,
      coalesce(r.quota, 0) - coalesce(e.quota, 0) + ${offset('user', 'u.id')} as quota
    from "user" u
    left join (select user_id, sum(quota) quota from usage_rollup group by 1) r on r.user_id = u.id
    left join (select user_id, sum(amount) quota from ledger_entry where kind = 'refund' group by 1) e on e.user_id = u.id
  )
  select 'used quota of user ' || id as name, counter, quota::bigint as min, quota::bigint as max
  from expected where counter <> quota order by id`

const channels: RawBuilder<CounterDifference> = sql`
  with expected as (
    select c.id, c.used_quota as counter, coalesce(d.quota, 0) + ${offset('channel', 'c.id')} as quota
    from channel c left join (select channel_id, sum(quota) quota from channel_day group by 1) d on d.channel_id = c.id
  )
  select 'used quota of channel ' || id as name, counter, quota::bigint as min, quota::bigint as max
  from expected where counter <> quota order by id`

const tokenRefunds = sql`(
  select user_id, (details ->> 'token_id')::bigint as token_id, sum(amount) as quota from ledger_entry
  where kind = 'refund' and coalesce(details ->> 'token_id', '0') <> '0' group by 1, 2)`

/**
 * Sums identify tokens by name. Usage under a name of the playground may also belong to a token of that name, so it may
 * or may not be in the counters.
 */
const tokensOfUsers: RawBuilder<CounterDifference> = sql`
  with expected as (
    select t.user_id, t.quota as counter,
      coalesce(d.named, 0) - coalesce(e.quota, 0) + ${offset('tokens_of_user', 't.user_id')} as min,
      coalesce(d.quota, 0) - coalesce(e.quota, 0) + ${offset('tokens_of_user', 't.user_id')} as max
    from (select user_id, sum(used_quota) quota from token group by 1) t
    left join (
      select user_id, sum(quota) quota, sum(quota) filter (where token_name not like 'playground-%') named
      from user_day group by 1
    ) d on d.user_id = t.user_id
    left join (select user_id, sum(quota) quota from ${tokenRefunds} r group by 1) e on e.user_id = t.user_id
  )
  select 'used quota of the tokens of user ' || user_id as name, counter::bigint as counter, min::bigint as min,
    max::bigint as max
  from expected where counter not between min and max order by user_id`

/** Compares each token with its log rows, for users whose usage is completely in the log. */
const tokens: RawBuilder<CounterDifference> = sql`
  with logged_user as (
    select user_id from usage_rollup, usage_log_floor
    group by user_id having bool_and(hour >= complete_from and logged_requests = requests)
    except select id from counter_offset where kind = 'tokens_of_user'
  ), expected as (
    select t.id, t.used_quota as counter, coalesce(l.quota, 0) - coalesce(e.quota, 0) as quota
    from token t join logged_user using (user_id)
    left join (select token_id, sum(quota) quota from usage_log where ${BILLED} group by 1) l on l.token_id = t.id
    left join ${tokenRefunds} e on e.token_id = t.id
  )
  select 'used quota of token ' || id as name, counter, quota::bigint as min, quota::bigint as max
  from expected where counter <> quota order by id`

/** What inviters earned and did not transfer yet. */
const earnings: RawBuilder<CounterDifference> = sql`
  with expected as (
    select u.id, u.aff_quota as counter,
      coalesce(r.quota, 0) - coalesce(m.quota, 0) + ${offset('earnings', 'u.id')} as quota
    from "user" u
    left join (
      select user_id, sum(amount) quota from ledger_entry where kind = 'invite_transfer' group by 1
    ) m on m.user_id = u.id
    left join (
      select (details ->> 'inviter_id')::bigint user_id, sum((details ->> 'inviter_reward')::bigint) quota
      from ledger_entry where kind = 'invite_reward' group by 1
    ) r on r.user_id = u.id
  )
  select 'invitation earnings of user ' || id as name, counter, quota::bigint as min, quota::bigint as max
  from expected where counter <> quota order by id`
