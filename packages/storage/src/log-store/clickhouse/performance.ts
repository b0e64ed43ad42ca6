import type { FirstTokens, LastError, LogSpan, ModelSpeed, SampledRow } from '../log-store.ts'
import { before, since } from './conditions.ts'
import { ch } from './query.ts'
import type { LogSource } from './rows.ts'

/** The 95th percentile of the time to the first token. */
export async function firstTokenP95({ clickhouse }: LogSource, { from, to }: LogSpan): Promise<FirstTokens> {
  const streams = ch`type = 2 and not is_test and first_token_ms >= 0 and ${since(from)} and ${before(to)}`
  const rows = await clickhouse.rows<{ hour: number; p95: number }>(ch`
    select toUnixTimestamp(toStartOfHour(created_at)) as hour, quantile(0.95)(first_token_ms) as p95
    from usage_log where ${streams} group by hour order by hour`)
  if (rows.length === 0) return { p95: null, hours: new Map() }
  const [whole] = await clickhouse.rows<{ p95: number }>(ch`
    select quantile(0.95)(first_token_ms) as p95 from usage_log where ${streams}`)
  return { p95: Math.round(whole!.p95), hours: new Map(rows.map(({ hour, p95 }) => [hour, Math.round(p95)])) }
}

/** Enough for a stable median. */
const SAMPLE_ROWS = 1000
/** A response that arrives in one burst does not show the speed of the model. */
const MIN_STREAM_MS = 200
const MIN_TOKENS = 10

/** Latency and speed of the newest streams of a model since a time; undefined when there were none. */
export async function modelSpeed(
  { clickhouse }: LogSource,
  model: string,
  from: Date,
): Promise<ModelSpeed | undefined> {
  const [row] = await clickhouse.rows<{ streams: number; fast: number; p: [number, number]; rate: number }>(ch`
    with use_time_ms - first_token_ms >= ${MIN_STREAM_MS} and completion_tokens >= ${MIN_TOKENS} as is_stream_of_tokens
    select count() as streams, countIf(is_stream_of_tokens) as fast, quantilesExactInclusive(0.5, 0.95)(first_token_ms) as p,
      quantileExactInclusiveIf(0.5)(completion_tokens * 1000 / (use_time_ms - first_token_ms), is_stream_of_tokens) as rate
    from (
      select first_token_ms, use_time_ms, completion_tokens from usage_log
      where model_name = ${model} and type = 2 and is_stream and not is_test and first_token_ms >= 0 and ${since(from)}
      order by created_at desc, id desc limit ${SAMPLE_ROWS}
    )`)
  const { streams, fast, p, rate } = row!
  if (streams === 0) return undefined
  return { first_token_p50: p[0], first_token_p95: p[1], ...(fast > 0 && { tokens_per_second: rate }) }
}

const MESSAGE_CHARACTERS = 300
/** How far back errors are searched. */
const ERROR_DAYS = 30
const DAY_MS = 86_400_000

interface StoredError extends Omit<LastError, 'created_at'> {
  at: number
}

/** The newest logged error of each channel. */
export async function lastErrors(
  { clickhouse }: LogSource,
  ids: readonly number[],
  errorType: number,
): Promise<LastError[]> {
  if (ids.length === 0) return []
  const rows = await clickhouse.rows<StoredError>(ch`
    select channel_id, toUnixTimestamp64Milli(created_at) as at, request_id, model_name,
      if(JSONHas(other, 'status_code'), toNullable(JSONExtractInt(other, 'status_code')), null) as status,
      if(error_code != '', toString(error_code), JSONExtractString(other, 'error_type')) as code,
      substringUTF8(if(JSONExtractString(other, 'admin_info', 'message') != '',
        JSONExtractString(other, 'admin_info', 'message'), content), 1, ${MESSAGE_CHARACTERS}) as message
    from usage_log
    where channel_id in ${ids} and type = ${errorType} and ${since(new Date(Date.now() - ERROR_DAYS * DAY_MS))}
    order by created_at desc, id desc limit 1 by channel_id`)
  return rows.map(({ at, ...row }) => ({ ...row, created_at: new Date(at) }))
}

/** Billed requests of a model by channel, without channel tests. */
export async function requestsByChannel(
  { clickhouse }: LogSource,
  model: string,
  from: Date,
): Promise<Map<number, number>> {
  const rows = await clickhouse.rows<{ channel_id: number; requests: number }>(ch`
    select channel_id, count() as requests from usage_log
    where model_name = ${model} and type = 2 and not is_test and ${since(from)} group by channel_id`)
  return new Map(rows.map(({ channel_id, requests }) => [channel_id, requests]))
}

interface StoredSample extends Omit<SampledRow, 'started_at' | 'other'> {
  started: number
  other: string
}

/** A percentage of the requests since a time; the same rows each time. */
export async function sample({ clickhouse }: LogSource, from: Date, percent: number): Promise<SampledRow[]> {
  const rows = await clickhouse.rows<StoredSample>(ch`
    select JSONExtractString(other, 'price_name') as price_name, \`group\`, prompt_tokens, completion_tokens, other,
      toUnixTimestamp64Milli(created_at) - use_time_ms as started
    from usage_log where type = 2 and not is_test and ${since(from)} and cityHash64(id) % 1000000 < ${percent * 10_000}
      and JSONHas(other, 'price_name')`)
  return rows.map(({ started, other, ...row }) => ({
    ...row,
    started_at: new Date(started),
    other: JSON.parse(other) as Record<string, unknown>,
  }))
}
