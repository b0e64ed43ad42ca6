import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import type { FirstTokens, LastError, LogSpan, ModelSpeed, SampledRow } from '../log-store.ts'

/** The maximum number of log rows to read for a percentile. */
const MAX_PERCENTILE_ROWS = 20_000

/** The 95th percentile of the time to the first token. Null without streams, and where there are too many rows. */
export async function firstTokenP95(
  db: Db,
  { from, to }: LogSpan,
  maxRows = MAX_PERCENTILE_ROWS,
): Promise<FirstTokens> {
  const { rows } = await sql<{ hour: number | null; seen: number; p95: number | null }>`
    select hour, count(*) as seen,
      percentile_cont(0.95) within group (order by frt) filter (where is_stream and frt >= 0) as p95
    from (
      select extract(epoch from date_trunc('hour', created_at, 'UTC'))::bigint as hour,
        is_stream and not other ? 'test' as is_stream,
        case when jsonb_typeof(other -> 'frt') = 'number' then (other ->> 'frt')::float8 end as frt
      from usage_log where created_at >= ${from} and created_at < ${to} and type = 2 limit ${maxRows + 1}
    ) row group by grouping sets ((), (hour))`.execute(db)
  const whole = rows.find(({ hour }) => hour === null)!
  if (whole.seen > maxRows || whole.p95 === null) return { p95: null, hours: new Map() }
  const known = rows.flatMap(({ hour, p95 }) =>
    hour === null || p95 === null ? [] : [[hour, Math.round(p95)] as const],
  )
  return { p95: Math.round(whole.p95), hours: new Map(known) }
}

/** Latency and speed of the newest streams of a model since a time; undefined when there were none. */
export async function modelSpeed(db: Db, model: string, since: Date): Promise<ModelSpeed | undefined> {
  const { rows } = await sql<{ p50: number | null; p95: number; rate: number | null }>`
    with call as (
      select (other ->> 'frt')::float8 as frt, use_time_ms, completion_tokens from usage_log
      where model_name = ${model} and type = 2 and is_stream and not other ? 'test' and created_at >= ${since}
      order by created_at desc, id desc limit ${SAMPLE_ROWS}
    )
    select percentile_cont(0.5) within group (order by frt) as p50,
      percentile_cont(0.95) within group (order by frt) as p95,
      percentile_cont(0.5) within group (order by completion_tokens * 1000.0 / nullif(use_time_ms - frt, 0))
        filter (where use_time_ms - frt >= ${MIN_STREAM_MS} and completion_tokens >= ${MIN_TOKENS}) as rate
    from call where frt >= 0`.execute(db)
  const { p50 = null, p95 = 0, rate = null } = rows[0] ?? {}
  if (p50 === null) return undefined
  return { first_token_p50: p50, first_token_p95: p95, ...(rate !== null && { tokens_per_second: rate }) }
}

/** Enough for a stable median, and fast to read. */
const SAMPLE_ROWS = 1000
/** A response that arrives in one burst does not show the speed of the model. */
const MIN_STREAM_MS = 200
const MIN_TOKENS = 10

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
export async function requestsByChannel(db: Db, model: string, since: Date): Promise<Map<number, number> | undefined> {
  const { rows } = await sql<{ channel_id: number; requests: number }>`
    select channel_id, count(*) as requests from (
      select channel_id from usage_log
      where model_name = ${model} and created_at >= ${since} and type = 2 and not other ? 'test' limit ${MAX_COUNTED + 1}
    ) served group by channel_id`.execute(db)
  const total = rows.reduce((sum, { requests }) => sum + requests, 0)
  return total > MAX_COUNTED ? undefined : new Map(rows.map(({ channel_id, requests }) => [channel_id, requests]))
}

/**
 * A percentage of the logged requests since a time. Samples whole blocks, so that only those are read; the fixed seed
 * returns the same rows.
 */
export async function sample(db: Db, since: Date, percent: number): Promise<SampledRow[]> {
  const { rows } = await sql<SampledRow>`
    select other->>'price_name' as price_name, "group", prompt_tokens, completion_tokens, other,
      created_at - make_interval(secs => use_time_ms / 1000.0) as started_at
    from usage_log tablesample system (${percent}) repeatable (1)
    where created_at >= ${since} and type = 2 and other ? 'price_name' and not other ? 'test'`.execute(db)
  return rows
}
