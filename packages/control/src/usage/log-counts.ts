import { api, ApiError } from '@tidegate/contract'
import { MAX_COUNTED_ROWS, type FacetName, type LogFilters } from '@tidegate/storage'
import type { Deps } from '../deps.ts'

const DAY_SECONDS = 86_400
const MAX_BUCKETS = 120
const FACET_VALUES = 10
/** Bucket sizes in seconds. Neighbours differ by a factor of at most 2.5, so that no range has less than 30 buckets. */
const BUCKET_SECONDS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
] as const

type CountDeps = Pick<Deps, 'logs' | 'now' | 'catalog'> & {
  /** For tests. */
  readonly maxRows?: number
}

/** Requests by time, with empty buckets. */
export async function readHistogram(
  { logs, now, maxRows = MAX_COUNTED_ROWS }: CountDeps,
  filters: LogFilters,
): Promise<api.LogHistogram> {
  const range = rangeOf(filters, now())
  const { start_timestamp: start, end_timestamp: end } = range
  const seconds = bucketSeconds(start, end)
  const counted = await logs.histogram({ filters: { ...filters, ...range }, seconds, maxRows })
  if (!counted) throw tooManyRows(maxRows)
  const byTime = new Map(counted.buckets.map(({ at, ...counts }) => [at, counts]))
  const first = Math.floor(start / seconds)
  const buckets = Array.from({ length: Math.floor(end / seconds) - first + 1 }, (_, index) => {
    const time = (first + index) * seconds
    return { time, ...(byTime.get(time) ?? { requests: 0, errors: 0, interrupted: 0 }) }
  })
  const { duration, firstToken } = counted
  return { ...range, bucket_seconds: seconds, buckets, duration, first_token: firstToken }
}

/** The smallest size that needs at most 120 buckets. */
export function bucketSeconds(start: number, end: number): number {
  const fits = (seconds: number) => Math.floor(end / seconds) - Math.floor(start / seconds) < MAX_BUCKETS
  return BUCKET_SECONDS.find(fits) ?? DAY_SECONDS
}

/** Requests by field. Ordinary users see no channels and no retries. */
export async function readFacets(
  { logs, now, catalog, maxRows = MAX_COUNTED_ROWS }: CountDeps,
  filters: LogFilters,
  reader: 'user' | 'administrator',
): Promise<api.LogFacets> {
  const range = rangeOf(filters, now())
  const counted = await logs.facets({ filters: { ...filters, ...range }, limit: FACET_VALUES, maxRows })
  if (!counted) throw tooManyRows(maxRows)
  const { channels } = catalog()
  const nameOf = (facet: FacetName, value: string) =>
    facet === 'channel' ? (channels.get(Number(value))?.name ?? '') : value
  const facetOf = (name: FacetName): api.LogFacet => {
    const rows = counted.filter(({ facet }) => facet === name)
    const values = rows.map(({ value, requests }) => ({ value, name: nameOf(name, value), count: requests }))
    return { values, others: (rows[0]?.values ?? 0) - values.length }
  }
  return {
    ...range,
    status: facetOf('status'),
    model: facetOf('model'),
    token: facetOf('token'),
    group: facetOf('group'),
    stream: facetOf('stream'),
    error_code: facetOf('error_code'),
    ...(reader === 'administrator' && {
      channel: facetOf('channel'),
      user: facetOf('user'),
      retried: facetOf('retried'),
    }),
  }
}

/** The range of the filters. Default: the last 24 hours, or the 24 hours before the end. */
function rangeOf({ start_timestamp, end_timestamp }: LogFilters, now: Date) {
  const end = Math.max(end_timestamp || Math.floor(now.getTime() / 1000), 0)
  const start = Math.min(Math.max(start_timestamp || end - DAY_SECONDS + 1, 0), end)
  if (end - start >= api.LOG_COUNT_SECONDS) {
    throw new ApiError('data_span_too_long', { days: api.LOG_COUNT_SECONDS / DAY_SECONDS })
  }
  return { start_timestamp: start, end_timestamp: end }
}

function tooManyRows(rows: number): ApiError {
  return new ApiError('too_many_log_rows', { rows: rows.toLocaleString('en') })
}
