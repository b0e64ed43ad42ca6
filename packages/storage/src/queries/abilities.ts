import { sql } from 'kysely'
import type { Db } from '../connect.ts'

/** What the abilities of every channel should be: one row for each of its groups and models. */
const wanted = sql`
  select distinct trim(g) as "group", trim(m) as model, channel.id as channel_id, channel.status = 1 as enabled,
    channel.priority, channel.weight, channel.tag
  from channel, regexp_split_to_table(channel."group", ',') g, regexp_split_to_table(channel.models, ',') m
  where trim(g) <> '' and trim(m) <> ''`

/** Makes the abilities of channels from what the channels say now. */
export async function rebuild(db: Db, channelIds: readonly number[]): Promise<void> {
  if (channelIds.length === 0) return
  await db.deleteFrom('ability').where('channel_id', 'in', channelIds).execute()
  await sql`
    insert into ability ("group", model, channel_id, enabled, priority, weight, tag)
    select "group", model, channel_id, enabled, priority, weight, tag
    from (${wanted}) w where channel_id = any(${channelIds})`.execute(db)
}

/** Channels whose abilities are not what they should be. */
export async function findWrong(db: Db): Promise<number[]> {
  const { rows } = await sql<{ channel_id: number }>`
    with w as (${wanted}),
         a as (select "group", model, channel_id, enabled, priority, weight, tag from ability)
    select channel_id from ((table w except table a) union all (table a except table w)) difference
    group by channel_id order by channel_id`.execute(db)
  return rows.map(({ channel_id }) => channel_id)
}
