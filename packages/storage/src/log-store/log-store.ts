import type { Insertable } from 'kysely'
import type { UsageLogTable } from '../schema/index.ts'

/**
 * Where log rows are: what requests and administrative actions recorded. Balances and usage sums are always in
 * PostgreSQL. Everything that shows, counts, exports or removes log rows uses this interface.
 */
export interface LogStore {
  /** Adds rows without a charge, such as failed attempts and channel tests. Settlement batches write charged rows. */
  append(rows: readonly NewLogRow[]): Promise<void>

  /** Newest first. A page with few rows can have a next one. */
  page(filters: LogFilters, position: LogPosition): Promise<LogRowPage>
  /** Matching rows. Counting stops at `max`. */
  count(filters: LogFilters, max: number): Promise<CountedRows>
  /** Searches the newest rows by type, or by the start of their text. */
  search(userId: number | undefined, keyword: string, limit: number): Promise<LogRow[]>
  /** Requests by time. Undefined where too many rows would have to be read. */
  histogram(options: CountOptions & { seconds: number }): Promise<Histogram | undefined>
  /** The most frequent values of each facet. Undefined where too many rows would have to be read. */
  facets(options: CountOptions & { limit: number }): Promise<FacetCount[] | undefined>

  /** The cost of matching requests. `capped`: older rows of the span were not read. */
  cost(filters: LogFilters, now: Date): Promise<{ quota: number; capped: boolean }>
  /** What matching requests cost beyond what their accounts could pay. */
  uncovered(filters: LogFilters): Promise<UncoveredSum>
  /** Requests and tokens since a time, without channel tests. */
  rate(filters: LogFilters, since: Date): Promise<{ calls: number; tokens: number }>

  /** The 95th percentile of the time to the first token. Null without streams, and where there are too many rows. */
  firstTokenP95(span: LogSpan, maxRows?: number): Promise<FirstTokens>
  /** Latency and speed of the newest streams of a model since a time; undefined when there were none. */
  modelSpeed(model: string, since: Date): Promise<ModelSpeed | undefined>
  /** The newest logged error of each channel. */
  lastErrors(channelIds: readonly number[], errorType: number): Promise<LastError[]>
  /** Billed requests of a model by channel, without channel tests. Undefined where there are too many rows to count. */
  requestsByChannel(model: string, since: Date): Promise<Map<number, number> | undefined>
  /** A percentage of the requests since a time; the same rows each time. */
  sample(since: Date, percent: number): Promise<SampledRow[]>

  /** Prepares the store for rows of these days. */
  prepare(span: { from: Date; days: number }): Promise<void>
  /** Removes whole days that ended before a time. Returns names of what was removed. */
  dropDays(span: { before: Date }): Promise<string[]>
  /** Removes the oldest days until the store is at most this large, but never today. */
  shrink(limit: { bytes: number; now: Date }): Promise<string[]>
  /** Removes rows from before a time, but no top-ups and administrative changes after `keepAfter`. Returns their number. */
  remove(span: { before: Date; keepAfter: Date; now: Date }): Promise<number>
  /** Removes the oldest rows of rejected requests in a period, at most `limit`. They have no charge. */
  removeRejected(rows: RejectedRows): Promise<number>
}

export type NewLogRow = Insertable<UsageLogTable>

/** How a request ended. An error row of an attempt that was retried has no status: the request went on. */
export type RequestStatus = 'success' | 'error' | 'interrupted'

export interface LogFilters {
  userId?: number | undefined
  userIds?: readonly number[]
  type?: number
  types?: readonly number[] | undefined
  tokenId?: number
  token_name?: string
  models?: readonly string[]
  group?: string
  channel?: number
  channels?: readonly number[]
  start_timestamp?: number | undefined
  end_timestamp?: number | undefined
  request_id?: string
  /** Only requests that cost more than their account could pay. */
  uncovered?: boolean
  statuses?: readonly RequestStatus[]
  errorCodes?: readonly string[]
  isStream?: boolean
  /** Whether more than one attempt was made. */
  retried?: boolean
  minDurationMs?: number
}

/** Clamps to the year 9999, because larger values are not valid dates. */
export function fromSeconds(seconds: number): Date {
  return new Date(Math.min(Math.max(seconds, 0), 253_402_300_799) * 1000)
}

/** The position of a row in the log. */
export interface LogCursor {
  /** UTC time with microseconds: a Date would lose precision. */
  readonly exactly: string
  readonly id: number
}

/** By cursor, or by offset, which is limited because its cost grows. */
export interface LogPosition {
  readonly after?: LogCursor | undefined
  readonly offset?: number
  readonly limit: number
}

export interface LogRowPage {
  readonly rows: LogRow[]
  /** Where the next page begins; undefined at the end of the log. */
  readonly next: LogCursor | undefined
}

export interface LogSpan {
  readonly from: Date
  readonly to: Date
}

export interface LogRow {
  id: number
  created_at: Date
  type: number
  user_id: number
  username: string
  token_id: number
  token_name: string
  model_name: string
  quota: number
  prompt_tokens: number
  completion_tokens: number
  use_time_ms: number
  is_stream: boolean
  channel_id: number
  group: string
  client_ip: string
  request_id: string
  content: string
  other: Record<string, unknown>
  channel_name: string | null
}

export interface CountedRows {
  count: number
  /** Counting stopped at the limit. */
  more: boolean
}

export interface UncoveredSum {
  requests: number
  /** What could not be charged. */
  quota: number
  /** What was charged for these requests. */
  charged: number
  /** Older rows of the period were not read. */
  capped: boolean
}

export interface RejectedRows {
  readonly after: Date
  readonly before: Date
  /** The log type of failed attempts and rejected requests. */
  readonly type: number
  readonly limit: number
}

/** The maximum number of rows to read for one count. */
export const MAX_COUNTED_ROWS = 200_000

export interface LogBucket {
  /** The start of the bucket, in Unix seconds. */
  at: number
  requests: number
  errors: number
  interrupted: number
}

export interface CountOptions {
  readonly filters: LogFilters
  /** Reading more rows is not worth it: the caller narrows the range. */
  readonly maxRows?: number
}

/** The 50th and the 95th percentile in milliseconds. */
export interface Percentiles {
  p50: number
  p95: number
}

export interface Histogram {
  /** Oldest first; empty buckets are missing. */
  buckets: LogBucket[]
  /** Of billed requests. */
  duration: Percentiles | null
  /** Of billed streams. */
  firstToken: Percentiles | null
}

export const FACETS = [
  'status',
  'model',
  'channel',
  'user',
  'token',
  'group',
  'stream',
  'retried',
  'error_code',
] as const
export type FacetName = (typeof FACETS)[number]

export interface FacetCount {
  facet: FacetName
  value: string
  requests: number
  /** How many values the facet has. */
  values: number
}

export interface FirstTokens {
  p95: number | null
  /** By start of the hour, Unix seconds. */
  hours: ReadonlyMap<number, number>
}

export interface ModelSpeed {
  first_token_p50: number
  first_token_p95: number
  tokens_per_second?: number
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

export interface SampledRow {
  price_name: string
  group: string
  started_at: Date
  prompt_tokens: number
  completion_tokens: number
  other: Record<string, unknown>
}

/** The store of log rows does not respond. Nothing is lost: rows wait until it is back. */
export class LogStoreUnavailable extends Error {
  override readonly name = 'LogStoreUnavailable'
}
