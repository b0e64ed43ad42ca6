import {
  FACETS,
  type CountOptions,
  type FacetCount,
  type FacetName,
  type Histogram,
  type LogBucket,
  type Percentiles,
} from '../log-store.ts'
import { whereOf } from './conditions.ts'
import { ch, raw } from './query.ts'
import type { LogSource } from './rows.ts'

const IS_REQUEST = raw(`status != ''`)

interface Speed {
  durations: [number, number]
  first_tokens: [number, number]
  billed: number
  streams: number
}

/** Requests by time. A column store reads them all, so there is no limit of rows. */
export async function histogram(
  { clickhouse }: LogSource,
  { filters, seconds }: CountOptions & { seconds: number },
): Promise<Histogram> {
  const buckets = await clickhouse.rows<LogBucket>(ch`
    select intDiv(toUnixTimestamp(created_at), ${seconds}) * ${seconds} as at, count() as requests,
      countIf(status = 'error') as errors, countIf(status = 'interrupted') as interrupted
    from usage_log where ${whereOf(filters, IS_REQUEST)} group by at order by at`)
  const [speed] = await clickhouse.rows<Speed>(ch`
    select quantiles(0.5, 0.95)(use_time_ms) as durations, count() as billed,
      quantilesIf(0.5, 0.95)(first_token_ms, first_token_ms >= 0) as first_tokens,
      countIf(first_token_ms >= 0) as streams
    from usage_log where ${whereOf(filters, raw('type = 2'))}`)
  return {
    buckets,
    duration: speed!.billed === 0 ? null : percentilesOf(speed!.durations),
    firstToken: speed!.streams === 0 ? null : percentilesOf(speed!.first_tokens),
  }
}

function percentilesOf([p50, p95]: readonly [number, number]): Percentiles {
  return { p50: Math.round(p50), p95: Math.round(p95) }
}

/** The most frequent values of each facet. */
export async function facets(
  { clickhouse }: LogSource,
  { filters, limit }: CountOptions & { limit: number },
): Promise<FacetCount[]> {
  const pairs = raw(FACETS.map((facet) => `('${facet}', ${FACET_VALUES[facet]})`).join(', '))
  return clickhouse.rows<FacetCount>(ch`
    select facet, value, requests, values from (
      select pair.1 as facet, pair.2 as value, count() as requests, count() over (partition by facet) as values
      from (
        select arrayJoin([${pairs}]) as pair from usage_log where ${whereOf(filters, IS_REQUEST)}
      ) where facet != 'error_code' or value != '' group by facet, value
      order by requests desc, value limit ${limit} by facet
    ) order by requests desc, value`)
}

const FACET_VALUES: Readonly<Record<FacetName, string>> = {
  status: 'toString(status)',
  model: 'toString(model_name)',
  channel: 'toString(channel_id)',
  user: 'toString(username)',
  token: 'toString(token_name)',
  group: 'toString(`group`)',
  stream: 'toString(is_stream)',
  retried: 'toString(is_retried)',
  error_code: `if(status = 'error', toString(error_code), '')`,
}
