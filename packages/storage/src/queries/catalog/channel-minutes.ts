import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'

/** Attempts of one channel in one minute, on one node. */
export interface ChannelMinute {
  channelId: number
  /** The start of the minute, in milliseconds since 1970. */
  minute: number
  succeeded: number
  failed: number
  /** Of successful attempts. */
  totalMs: number
  firstTokenMs: number
  firstTokens: number
}

/** Adds to the counters. Rows are sorted, so that nodes that write at the same time do not deadlock. */
export async function add(db: Db, rows: readonly ChannelMinute[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into channel_minute as m (channel_id, minute, succeeded, failed, total_ms, first_token_ms, first_tokens)
    select "channelId", to_timestamp(minute / 1000.0), sum(succeeded), sum(failed), sum("totalMs"),
      sum("firstTokenMs"), sum("firstTokens")
    from json_to_recordset(${JSON.stringify(rows)}::json) as s("channelId" bigint, minute bigint, succeeded integer,
      failed integer, "totalMs" bigint, "firstTokenMs" bigint, "firstTokens" integer)
    group by "channelId", minute order by "channelId", minute
    on conflict (channel_id, minute) do update set
      succeeded = m.succeeded + excluded.succeeded, failed = m.failed + excluded.failed,
      total_ms = m.total_ms + excluded.total_ms, first_token_ms = m.first_token_ms + excluded.first_token_ms,
      first_tokens = m.first_tokens + excluded.first_tokens`.execute(db)
}

export interface HealthSum {
  channel_id: number
  /** The start of the bucket, in Unix seconds. */
  time: number
  succeeded: number
  failed: number
  total_ms: number
}

/** Sums by channel and bucket since a time. Buckets without attempts are left out. */
export async function sumBuckets(
  db: Db,
  { ids, since, bucketSeconds }: { ids: readonly number[]; since: Date; bucketSeconds: number },
): Promise<HealthSum[]> {
  const { rows } = await sql<HealthSum>`
    select channel_id, (floor(extract(epoch from minute) / ${bucketSeconds}) * ${bucketSeconds})::bigint as time,
      sum(succeeded) as succeeded, sum(failed) as failed, sum(total_ms)::bigint as total_ms
    from channel_minute where channel_id = any(${ids}) and minute >= ${since}
    group by 1, 2`.execute(db)
  return rows
}

export interface ChannelSpeed {
  channel_id: number
  name: string
  attempts: number
  failed: number
  average_ms: number
  first_token_ms: number | null
}

/** Existing channels by their average time to respond, the slowest first. Channels without a success are left out. */
export async function slowest(
  db: Db,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<ChannelSpeed[]> {
  const { rows } = await sql<ChannelSpeed>`
    with measured as (
      select channel_id, sum(succeeded + failed)::bigint as attempts, sum(failed)::bigint as failed,
        round(sum(total_ms)::numeric / sum(succeeded))::bigint as average_ms,
        round(sum(first_token_ms)::numeric / nullif(sum(first_tokens), 0))::bigint as first_token_ms
      from channel_minute where minute >= ${from} and minute < ${to} group by 1 having sum(succeeded) > 0
    )
    select measured.*, channel.name from measured join channel on channel.id = measured.channel_id
    order by measured.average_ms desc, measured.channel_id limit ${limit}`.execute(db)
  return rows
}

export async function removeBefore(db: Db, time: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('channel_minute').where('minute', '<', time).executeTakeFirst()
  return Number(numDeletedRows)
}
