import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { pageFields, pageOf, readPage } from '../../paging.ts'
import { OptionalInteger, OptionalText, Quota, UnixSeconds } from '../../values.ts'
import { ownLogFilters, OwnLogFilters, siteLogFilters, SiteLogFilters } from './log-filters.ts'

export const LOG_TYPE = { topUp: 1, consumption: 2, admin: 3, system: 4, checkIn: 5, error: 6 } as const

export const UsageLog = z.object({
  id: z.int(),
  created_at: UnixSeconds,
  type: z.int(),
  content: z.string(),
  user_id: z.int(),
  username: z.string(),
  token_id: z.int(),
  token_name: z.string(),
  model_name: z.string(),
  quota: Quota,
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** Whole seconds; `other.frt` has the time to the first token in milliseconds. */
  use_time: z.int(),
  use_time_ms: z.int(),
  /** Milliseconds until the first token; only for streams. */
  first_token_ms: z.int().optional(),
  /** Channels that were called for the request; missing for ordinary users and for rows that are not requests. */
  attempts: z.int().optional(),
  /** Only for failed attempts and rejected requests. */
  error_code: z.string().optional(),
  is_stream: z.boolean(),
  /** 0 and blank for ordinary users. */
  channel: z.int(),
  channel_name: z.string(),
  group: z.string(),
  client_ip: z.string(),
  request_id: z.string(),
  /** JSON text. */
  other: z.string(),
})
export type UsageLog = z.output<typeof UsageLog>

const paging = { base: 1 } as const

/** Filters and page of a log query. `cursor` is `next_cursor` of the page before and replaces `p`. */
function pagedQuery<Filters extends z.ZodRawShape>(filters: Filters) {
  const Query = z.object({ ...filters, ...pageFields(paging), cursor: OptionalText }).partial()
  return Query.transform((query: Readonly<Record<string, unknown>>) => ({
    filters: Object.fromEntries(Object.keys(filters).map((name) => [name, query[name]])) as FilterValues<Filters>,
    page: readPage(query, paging),
    cursor: query['cursor'] as string | undefined,
  }))
}

type FilterValues<Filters extends z.ZodRawShape> = { [Name in keyof Filters]?: z.output<Filters[Name]> }

/** Counting stops here: counting millions of rows would take longer than reading a page. */
export const COUNTED_LOGS = 10_000

/**
 * `capped`: there may be more rows than `total`. `next_cursor` reads older rows and is missing at the end of the log. A
 * page with few rows can have one, because some filters read a limited number of rows per page.
 */
const LogPage = pageOf(UsageLog).extend({ capped: z.boolean(), next_cursor: z.string().optional() })

export const listLogs = endpoint({
  method: 'GET',
  path: '/api/log',
  access: 'admin',
  summary: 'Lists the usage log of the site, newest first.',
  query: pagedQuery(siteLogFilters),
  reply: LogPage,
  errors: ['page_too_deep', 'log_cursor_invalid'],
})

export const listOwnLogs = endpoint({
  method: 'GET',
  path: '/api/log/self',
  access: 'user',
  summary: 'Lists your usage log, newest first, without channel fields.',
  query: pagedQuery(ownLogFilters),
  reply: LogPage,
  errors: ['page_too_deep', 'log_cursor_invalid'],
})

const LogStat = z.object({
  /** Cost of the requests that match the filters. */
  quota: Quota,
  /** `true`: a filter has no index, and only the newest 200,000 rows of the other filters were read. */
  capped: z.boolean().optional(),
  /** Requests and tokens of the last 60 seconds; the time filter does not apply. */
  rpm: z.int(),
  tpm: z.int(),
  /**
   * With the filter `uncovered`: how many requests cost more than their account could pay, and by how much in total.
   * `capped`: only the newest 500,000 rows of the period were read.
   */
  uncovered: z.object({ requests: z.int(), quota: Quota, capped: z.boolean() }).optional(),
})
export type LogStat = z.output<typeof LogStat>

export const getLogStat = endpoint({
  method: 'GET',
  path: '/api/log/stat',
  access: 'admin',
  summary: 'Returns the cost of the requests that match the filters, and the current request rate.',
  query: SiteLogFilters,
  reply: LogStat,
  errors: [],
})

export const getOwnLogStat = endpoint({
  method: 'GET',
  path: '/api/log/self/stat',
  access: 'user',
  summary: 'Returns the cost of your requests that match the filters, and your current request rate.',
  query: OwnLogFilters,
  reply: LogStat,
  errors: [],
})

export const deleteLogs = endpoint({
  method: 'DELETE',
  path: '/api/log',
  access: 'root',
  summary:
    'Deletes log rows older than a time and returns their number. Top-ups and administrator changes of the last 30 days stay, as do all usage sums.',
  query: z.object({ target_timestamp: OptionalInteger }).partial(),
  reply: z.int(),
  errors: ['log_time_missing'],
})

export const searchLogs = endpoint({
  method: 'GET',
  path: '/api/log/search',
  access: 'admin',
  summary: 'Returns the last 100 rows of a log type, or searches the newest 20,000 rows by the start of their text.',
  query: z.object({ keyword: OptionalText }).partial(),
  reply: z.array(UsageLog),
  errors: [],
})

export const searchOwnLogs = endpoint({
  method: 'GET',
  path: '/api/log/self/search',
  access: 'user',
  summary: 'Returns your last 100 rows of a log type, or searches your newest 20,000 rows by the start of their text.',
  query: z.object({ keyword: OptionalText }).partial(),
  reply: z.array(UsageLog),
  errors: [],
})

/** API token to look up. Proxies log URLs, so a token in the query is not secret. */
export const TOKEN_HEADER = 'Tidegate-Token'

export const listTokenLogs = endpoint({
  method: 'GET',
  path: '/api/log/token',
  access: 'user',
  summary:
    'Returns the last 100 log rows of one of your API tokens. Send it in the header `Tidegate-Token`, because proxies log `key`.',
  query: z.object({ key: OptionalText }).partial(),
  reply: z.array(UsageLog),
  errors: ['token_not_found'],
})

export const exportLogs = endpoint({
  method: 'GET',
  path: '/api/log/export',
  access: 'admin',
  summary: 'Streams the usage log that matches the filters as a CSV file, newest first.',
  query: SiteLogFilters,
  reply: z.string(),
  bare: true,
  errors: [],
})

export const exportOwnLogs = endpoint({
  method: 'GET',
  path: '/api/log/self/export',
  access: 'user',
  summary: 'Streams your usage log as a CSV file, without channel fields.',
  query: OwnLogFilters,
  reply: z.string(),
  bare: true,
  errors: [],
})
