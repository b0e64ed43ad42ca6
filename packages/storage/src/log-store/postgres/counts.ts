import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { conditions, applyFilters, ERROR_CODE, HAS_STATUS, IS_RETRIED, splitFilters } from './conditions.ts'
import {
  FACETS,
  MAX_COUNTED_ROWS,
  type CountOptions,
  type FacetCount,
  type FacetName,
  type Histogram,
  type LogBucket,
  type LogFilters,
  type Percentiles,
} from '../log-store.ts'

/** Requests by time. Undefined where too many rows would have to be read. */
export async function histogram(
  db: Db,
  { filters, seconds, maxRows = MAX_COUNTED_ROWS }: CountOptions & { seconds: number },
): Promise<Histogram | undefined> {
  const { rows: from, matches } = requestRows(db, filters, maxRows)
  const is = (condition: RawBuilder<boolean>) => sql`${matches} and ${condition}`
  const { rows } = await sql<
    { seen: number; durations: number[] | null; first_tokens: number[] | null } & (LogBucket | { at: null })
  >`
    with request as materialized (
      select floor(extract(epoch from created_at) / ${seconds}::int)::bigint * ${seconds}::int as at,
        ${is(IS_REQUEST)} as is_request, ${is(HAS_STATUS.error)} as is_error,
        ${is(HAS_STATUS.interrupted)} as is_interrupted, ${is(sql`type = 2`)} as is_billed, use_time_ms,
        case when is_stream and jsonb_typeof(other -> 'frt') = 'number' then (other ->> 'frt')::float8 end as frt
      from (${from}) usage_log
    ), bucket as (
      select at, count(*) filter (where is_request) as requests, count(*) filter (where is_error) as errors,
        count(*) filter (where is_interrupted) as interrupted
      from request group by at
    ), speed as (
      select (select count(*) from request) as seen,
        percentile_disc(array[0.5, 0.95]) within group (order by use_time_ms) as durations,
        percentile_disc(array[0.5, 0.95]) within group (order by frt) filter (where frt >= 0) as first_tokens
      from request where is_billed
    )
    select * from speed left join bucket on true order by at`.execute(db)
  const { seen, durations, first_tokens } = rows[0]!
  if (seen > maxRows) return undefined
  return {
    buckets: rows.flatMap(({ seen: _seen, durations: _durations, first_tokens: _tokens, ...bucket }) =>
      bucket.at === null ? [] : [bucket],
    ),
    duration: percentilesOf(durations),
    firstToken: percentilesOf(first_tokens),
  }
}

function percentilesOf(values: readonly number[] | null): Percentiles | null {
  return values ? { p50: Math.round(values[0]!), p95: Math.round(values[1]!) } : null
}

/** The most frequent values of each facet. Undefined where too many rows would have to be read. */
export async function facets(
  db: Db,
  { filters, limit, maxRows = MAX_COUNTED_ROWS }: CountOptions & { limit: number },
): Promise<FacetCount[] | undefined> {
  const { rows: from, matches } = requestRows(db, filters, maxRows)
  const counted = FACETS.map(
    (facet) => sql`select ${sql.lit(facet)} as facet, ${FACET_VALUES[facet]} as value, count(*) as requests
      from matched where ${FACET_VALUES[facet]} is not null group by 2`,
  )
  const { rows } = await sql<FacetCount & { seen: number }>`
    with scanned as materialized (${from}),
    matched as materialized (
      select usage_log.*, ${IS_RETRIED} as retried,
        case when ${HAS_STATUS.error} then nullif(${ERROR_CODE}, '') end as error_code,
        case when ${HAS_STATUS.error} then 'error' when ${HAS_STATUS.interrupted} then 'interrupted' else 'success' end
          as status
      from scanned usage_log where ${matches} and ${IS_REQUEST}
    ),
    counted as (${sql.join(counted, sql` union all `)}),
    ranked as (
      select *, count(*) over (partition by facet) as values,
        row_number() over (partition by facet order by requests desc, value) as place
      from counted
    )
    select facet, value, requests, values, (select count(*) from scanned) as seen from ranked where place <= ${limit}
    union all select '', '', 0, 0, (select count(*) from scanned)
    order by 3 desc, 2`.execute(db)
  if (rows[0]!.seen > maxRows) return undefined
  return rows.filter(({ values }) => values > 0).map(({ seen: _seen, ...count }) => count)
}

const FACET_VALUES: Readonly<Record<FacetName, RawBuilder<string>>> = {
  status: sql`status`,
  model: sql`model_name`,
  channel: sql`channel_id::text`,
  user: sql`username`,
  token: sql`token_name`,
  group: sql`"group"`,
  stream: sql`is_stream::text`,
  retried: sql`retried::text`,
  error_code: sql`error_code`,
}

const IS_REQUEST = sql<boolean>`(usage_log.type = 2 or ${HAS_STATUS.error})`

/** The rows of the most selective filter, one more than may be read, and the condition of the other filters. */
function requestRows(db: Db, filters: LogFilters, maxRows: number) {
  const [first, rest] = splitFilters(filters)
  const rows = applyFilters(db, first)
    .select([
      'usage_log.created_at',
      'usage_log.type',
      'usage_log.user_id',
      'usage_log.username',
      'usage_log.token_id',
      'usage_log.token_name',
      'usage_log.model_name',
      'usage_log.channel_id',
      'usage_log.group',
      'usage_log.is_stream',
      'usage_log.use_time_ms',
      'usage_log.request_id',
      'usage_log.other',
    ])
    .where(sql<boolean>`usage_log.type in (2, 6)`)
    .limit(maxRows + 1)
  return { rows, matches: sql<boolean>`${sql.join([sql`true`, ...conditions(rest)], sql` and `)}` }
}
