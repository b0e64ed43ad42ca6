import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { type FailingRule, isFailing } from '../catalog/channel-list.ts'

/** The first rows of a list, each with the length of the whole list. */
type WithTotal<Row> = Row & { total: number }

/** Channels that were disabled automatically, the newest first. */
export async function autoDisabledChannels(
  db: Db,
  limit: number,
): Promise<WithTotal<{ id: number; name: string; reason: string; time: number | null }>[]> {
  const { rows } = await sql<WithTotal<{ id: number; name: string; reason: string; time: number | null }>>`
    select id, name, coalesce(other_info ->> 'status_reason', '') as reason,
      case when jsonb_typeof(other_info -> 'status_time') = 'number'
        then floor((other_info ->> 'status_time')::numeric)::bigint end as time, count(*) over () as total
    from channel where status = 3 order by 4 desc nulls last, id limit ${limit}`.execute(db)
  return rows
}

/** Enabled channels that are failing, the most failures first. */
export async function failingChannels(
  db: Db,
  rule: FailingRule,
  limit: number,
): Promise<WithTotal<{ id: number; name: string; attempts: number; failed: number }>[]> {
  const { rows } = await sql<WithTotal<{ id: number; name: string; attempts: number; failed: number }>>`
    with recent as (
      select channel_id, sum(succeeded + failed)::bigint as attempts, sum(failed)::bigint as failed
      from channel_minute where minute >= ${rule.since} group by channel_id having ${isFailing(rule)}
    )
    select channel.id, channel.name, recent.attempts, recent.failed, count(*) over () as total
    from recent join channel on channel.id = recent.channel_id where channel.status = 1
    order by recent.failed desc, channel.id limit ${limit}`.execute(db)
  return rows
}

/** Enabled channels whose known upstream balance is below an amount, the lowest first. */
export async function lowChannelBalances(
  db: Db,
  { below, limit }: { below: number; limit: number },
): Promise<WithTotal<{ id: number; name: string; balance: number; time: number }>[]> {
  const { rows } = await sql<WithTotal<{ id: number; name: string; balance: number; time: number }>>`
    select id, name, balance::float8 as balance, floor(extract(epoch from balance_updated_at))::bigint as time,
      count(*) over () as total
    from channel where status = 1 and balance_updated_at is not null and balance < ${below}
    order by channel.balance, id limit ${limit}`.execute(db)
  return rows
}
