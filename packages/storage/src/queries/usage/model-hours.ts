import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { jsonText } from '../../connection/values.ts'

/** Requests for a model in one hour, on one node. */
export interface ModelHour {
  model: string
  /** The start of the hour, in milliseconds since 1970. */
  hour: number
  served: number
  failed: number
}

/** Adds to the counters. Rows are sorted, so that nodes that write at the same time do not deadlock. */
export async function add(db: Db, rows: readonly ModelHour[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into model_hour as m (model_name, hour, served, failed)
    select model, to_timestamp(hour / 1000.0), sum(served), sum(failed)
    from json_to_recordset(${jsonText(rows)}::json) as s(model text, hour bigint,
      served bigint, failed bigint)
    group by 1, 2 order by 1, 2
    on conflict (model_name, hour) do update set
      served = m.served + excluded.served, failed = m.failed + excluded.failed`.execute(db)
}

/** Hours of these models, oldest first. `hour` is in Unix seconds. */
export async function listSince(
  db: Db,
  models: readonly string[],
  since: Date,
): Promise<{ hour: number; served: number; failed: number }[]> {
  const { rows } = await sql<{ hour: number; served: number; failed: number }>`
    select extract(epoch from hour)::bigint as hour, sum(served)::bigint as served, sum(failed)::bigint as failed
    from model_hour where model_name = any(${models}) and hour >= ${since} group by 1 order by 1`.execute(db)
  return rows
}

export async function removeBefore(db: Db, time: Date): Promise<void> {
  await sql`delete from model_hour where hour < ${time}`.execute(db)
}

/** Latency and speed of the newest streams of a model since a time; undefined when there were none. */
export async function speed(
  db: Db,
  model: string,
  since: Date,
): Promise<{ first_token_p50: number; first_token_p95: number; tokens_per_second?: number } | undefined> {
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
