import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'

/**
 * The abilities that channels should have: one row for each group and model. Uses arrays, because the planner expects
 * them to be short. For two split expressions it would expect a million rows per channel and spend a second on JIT
 * compilation.
 */
const expected = sql`
  select distinct trim(g) as "group", trim(m) as model, channel.id as channel_id, channel.status = 1 as enabled,
    channel.priority, channel.weight, channel.tag
  from channel, unnest(string_to_array(channel."group", ',')) g, unnest(string_to_array(channel.models, ',')) m
  where trim(g) <> '' and trim(m) <> ''`

/** Rebuilds the abilities of channels from their current fields. */
export async function rebuild(db: Db, channelIds: readonly number[]): Promise<void> {
  if (channelIds.length === 0) return
  await sql`delete from ability where channel_id = any(${channelIds})`.execute(db)
  await sql`
    insert into ability ("group", model, channel_id, enabled, priority, weight, tag)
    select "group", model, channel_id, enabled, priority, weight, tag
    from (${expected}) w where channel_id = any(${channelIds})`.execute(db)
}

/** Channels whose abilities differ from the expected ones. */
export async function findOutdated(db: Db): Promise<number[]> {
  const { rows } = await sql<{ channel_id: number }>`
    select distinct channel_id
    from (${expected}) w full join ability a using (channel_id, "group", model)
    where (w.enabled, w.priority, w.weight, w.tag) is distinct from (a.enabled, a.priority, a.weight, a.tag)
    order by channel_id`.execute(db)
  return rows.map(({ channel_id }) => channel_id)
}
