import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'

export interface AttemptSums {
  channel_id: number
  /** Since `hour`. */
  succeeded: number
  failed: number
  /** The average; null when no response had a time to first token. */
  first_token_ms: number | null
  /** Since `today`. */
  failed_today: number
}

/** Attempts of each channel since two times. Channels without attempts are left out. */
export async function sumAttempts(
  db: Db,
  ids: readonly number[],
  { hour, today }: { hour: Date; today: Date },
): Promise<AttemptSums[]> {
  const inHour = sql`filter (where minute >= ${hour})`
  const { rows } = await sql<AttemptSums>`
    select channel_id, coalesce(sum(succeeded) ${inHour}, 0)::bigint as succeeded,
      coalesce(sum(failed) ${inHour}, 0)::bigint as failed,
      (sum(first_token_ms) ${inHour} / nullif(sum(first_tokens) ${inHour}, 0))::float8 as first_token_ms,
      coalesce(sum(failed) filter (where minute >= ${today}), 0)::bigint as failed_today
    from channel_minute where channel_id = any(${ids}::bigint[]) and minute >= ${hour < today ? hour : today}
    group by channel_id`.execute(db)
  return rows
}

export interface BilledSums {
  channel_id: number
  requests_today: number
  quota_today: number
  /** Since `from`, today included. */
  requests: number
  quota: number
}

/** Billed requests of each channel by UTC days, given as text. Channels without requests are left out. */
export async function sumBilled(
  db: Db,
  ids: readonly number[],
  { from, today }: { from: string; today: string },
): Promise<BilledSums[]> {
  const onDay = sql`filter (where day = ${today}::date)`
  const { rows } = await sql<BilledSums>`
    select channel_id, coalesce(sum(requests) ${onDay}, 0)::bigint as requests_today,
      coalesce(sum(quota) ${onDay}, 0)::bigint as quota_today, sum(requests)::bigint as requests,
      sum(quota)::bigint as quota
    from channel_day
    where channel_id = any(${ids}::bigint[]) and day >= ${from}::date and day <= ${today}::date
    group by channel_id`.execute(db)
  return rows
}

export interface LastError {
  channel_id: number
  created_at: Date
  request_id: string
  model_name: string
  status: number | null
  code: string
  message: string
}

/** Newest minutes with failures that are searched for a logged error: not every failure is logged. */
const SEARCHED_MINUTES = 5
const MESSAGE_CHARACTERS = 300

/**
 * The newest logged error of each channel. Only minutes with failed attempts are read from the log, so that a channel
 * with many requests and few errors is not scanned.
 */
export async function lastErrors(db: Db, ids: readonly number[], errorType: number): Promise<LastError[]> {
  const { rows } = await sql<LastError>`
    select c.id as channel_id, e.created_at, e.request_id, e.model_name,
      (e.other ->> 'status_code')::int as status,
      coalesce(nullif(e.other ->> 'error_code', ''), e.other ->> 'error_type', '') as code,
      left(coalesce(nullif(e.other -> 'admin_info' ->> 'message', ''), e.content), ${MESSAGE_CHARACTERS}) as message
    from unnest(${ids}::bigint[]) c (id) cross join lateral (
      select log.* from (
        select minute from channel_minute where channel_id = c.id and failed > 0
        order by minute desc limit ${SEARCHED_MINUTES}
      ) m cross join lateral (
        select * from usage_log
        where channel_id = c.id and type = ${errorType} and created_at >= m.minute - interval '5 seconds'
          and created_at < m.minute + interval '65 seconds'
        order by created_at desc, id desc limit 1
      ) log order by log.created_at desc limit 1
    ) e`.execute(db)
  return rows
}

/** The maximum number of log rows to count. */
const MAX_COUNTED = 100_000

/** Billed requests of a model by channel, without channel tests. Undefined where there are too many rows to count. */
export async function countRequests(db: Db, model: string, since: Date): Promise<Map<number, number> | undefined> {
  const { rows } = await sql<{ channel_id: number; requests: number }>`
    select channel_id, count(*) as requests from (
      select channel_id from usage_log
      where model_name = ${model} and created_at >= ${since} and type = 2 and not other ? 'test' limit ${MAX_COUNTED + 1}
    ) served group by channel_id`.execute(db)
  const total = rows.reduce((sum, { requests }) => sum + requests, 0)
  return total > MAX_COUNTED ? undefined : new Map(rows.map(({ channel_id, requests }) => [channel_id, requests]))
}
