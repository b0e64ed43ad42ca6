import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { UnixSeconds } from '../../values.ts'
import { OwnLogFilters, SiteLogFilters } from './log-filters.ts'

/** The longest range of a histogram or of facets. Without a range they cover the last 24 hours. */
export const LOG_COUNT_SECONDS = 31 * 86_400

/** The range that was counted, both ends inclusive. */
const range = { start_timestamp: UnixSeconds, end_timestamp: UnixSeconds }

const Percentiles = z.object({ p50: z.int(), p95: z.int() })

export const LogHistogram = z.object({
  ...range,
  bucket_seconds: z.int(),
  /**
   * All buckets of the range, oldest first: 30 to 120, or one per second in a range of less than 30 seconds. Only
   * requests count, with channel tests, and not the failed attempts of a retried request.
   */
  buckets: z.array(z.object({ time: UnixSeconds, requests: z.int(), errors: z.int(), interrupted: z.int() })),
  /** Percentiles in milliseconds over the billed requests of the range; null without any. */
  duration: Percentiles.nullable(),
  /** Time to the first token; null without streams. */
  first_token: Percentiles.nullable(),
})
export type LogHistogram = z.output<typeof LogHistogram>

const errors = ['data_span_too_long', 'too_many_log_rows'] as const

export const getLogHistogram = endpoint({
  method: 'GET',
  path: '/api/log/histogram',
  access: 'admin',
  summary: 'Counts the requests that match the filters by time. Reads at most 31 days and 200,000 rows.',
  query: SiteLogFilters,
  reply: LogHistogram,
  errors,
})

export const getOwnLogHistogram = endpoint({
  method: 'GET',
  path: '/api/log/self/histogram',
  access: 'user',
  summary: 'Counts your requests that match the filters by time. Reads at most 31 days and 200,000 rows.',
  query: OwnLogFilters,
  reply: LogHistogram,
  errors,
})

/** The most frequent values of one field, and how many other values there are. */
const Facet = z.object({
  values: z.array(
    z.object({
      /** As the filter of this field takes it: a channel ID, `true` or `false`, or a name. */
      value: z.string(),
      /** What to show: the name of a channel; blank when it was deleted. */
      name: z.string(),
      count: z.int(),
    }),
  ),
  others: z.int(),
})
export type LogFacet = z.output<typeof Facet>

export const LogFacets = z.object({
  ...range,
  status: Facet,
  model: Facet,
  token: Facet,
  group: Facet,
  stream: Facet,
  /** Codes of failed requests. */
  error_code: Facet,
  /** Missing for ordinary users. */
  channel: Facet.optional(),
  user: Facet.optional(),
  retried: Facet.optional(),
})
export type LogFacets = z.output<typeof LogFacets>

export const getLogFacets = endpoint({
  method: 'GET',
  path: '/api/log/facets',
  access: 'admin',
  summary:
    'Counts the requests that match the filters by field, 10 values each. Reads at most 31 days and 200,000 rows.',
  query: SiteLogFilters,
  reply: LogFacets,
  errors,
})

export const getOwnLogFacets = endpoint({
  method: 'GET',
  path: '/api/log/self/facets',
  access: 'user',
  summary:
    'Counts your requests that match the filters by field, 10 values each. Reads at most 31 days and 200,000 rows.',
  query: OwnLogFilters,
  reply: LogFacets,
  errors,
})
