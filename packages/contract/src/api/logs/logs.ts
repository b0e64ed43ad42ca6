import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { pageFields, pageOf, readPage } from '../../paging.ts'
import { Flag, OptionalInteger, OptionalText, Quota, UnixSeconds } from '../../values.ts'

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

const ownFilters = {
  type: OptionalInteger,
  token_name: OptionalText,
  model_name: OptionalText,
  group: OptionalText,
  start_timestamp: OptionalInteger,
  end_timestamp: OptionalInteger,
  request_id: OptionalText,
}
const siteFilters = {
  ...ownFilters,
  username: OptionalText,
  channel: OptionalInteger,
  /** Only requests that cost more than their account could pay. */
  uncovered: Flag,
}

const paging = { base: 1 } as const

/** Filters and page of a log query. */
function filtered<Filters extends z.ZodRawShape>(filters: Filters) {
  return z
    .object({ ...filters, ...pageFields(paging) })
    .partial()
    .transform((query) => ({ filters: z.object(filters).partial().parse(query), page: readPage(query, paging) }))
}

/** Counting stops here: counting millions of rows would take longer than reading a page. */
export const COUNTED_LOGS = 10_000

/** `capped`: there are more rows than `total`. */
const LogPage = pageOf(UsageLog).extend({ capped: z.boolean() })

export const listLogs = endpoint({
  method: 'GET',
  path: '/api/log',
  access: 'admin',
  summary: 'Lists the usage log of the site, newest first.',
  query: filtered(siteFilters),
  reply: LogPage,
  errors: ['page_too_deep'],
})

export const listOwnLogs = endpoint({
  method: 'GET',
  path: '/api/log/self',
  access: 'user',
  summary: 'Lists your usage log, newest first, without channel fields.',
  query: filtered(ownFilters),
  reply: LogPage,
  errors: ['page_too_deep'],
})

const LogStat = z.object({
  /** Cost of the requests that match the filters. */
  quota: Quota,
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
  query: z.object(siteFilters).partial(),
  reply: LogStat,
  errors: [],
})

export const getOwnLogStat = endpoint({
  method: 'GET',
  path: '/api/log/self/stat',
  access: 'user',
  summary: 'Returns the cost of your requests that match the filters, and your current request rate.',
  query: z.object(ownFilters).partial(),
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
  query: z.object(siteFilters).partial(),
  reply: z.string(),
  bare: true,
  errors: [],
})

export const exportOwnLogs = endpoint({
  method: 'GET',
  path: '/api/log/self/export',
  access: 'user',
  summary: 'Streams your usage log as a CSV file, without channel fields.',
  query: z.object(ownFilters).partial(),
  reply: z.string(),
  bare: true,
  errors: [],
})
