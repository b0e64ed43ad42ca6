import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { OptionalInteger, OptionalText, Quota, UnixSeconds } from '../../values.ts'

/** Usage of a model in one interval. */
export const UsageSum = z.object({
  id: z.int(),
  /** 0 and blank if users are summed. */
  user_id: z.int(),
  username: z.string(),
  model_name: z.string(),
  /** Start of the interval. */
  created_at: UnixSeconds,
  token_used: z.int(),
  count: z.int(),
  quota: Quota,
})
export type UsageSum = z.output<typeof UsageSum>

/** Intervals. Data is stored by hour; days start at midnight UTC, weeks on Monday. */
export const TIME_STEPS = ['hour', 'day', 'week'] as const
export type TimeStep = (typeof TIME_STEPS)[number]

/** Maximum range: 31 days and an hour for users, a year and a day for administrators. */
export const OWN_DATA_SECONDS = 31 * 86_400 + 3600
export const SITE_DATA_SECONDS = 366 * 86_400

const span = {
  start_timestamp: OptionalInteger,
  end_timestamp: OptionalInteger,
  /** Anything else means `hour`. */
  default_time: OptionalText,
}

export const getSiteData = endpoint({
  method: 'GET',
  path: '/api/data',
  access: 'admin',
  summary: 'Returns usage by model and interval, of all users or of one, oldest first.',
  query: z.object({ ...span, username: OptionalText }).partial(),
  reply: z.array(UsageSum),
  errors: ['data_span_too_long'],
})

export const getOwnData = endpoint({
  method: 'GET',
  path: '/api/data/self',
  access: 'user',
  summary: 'Returns your usage by model and interval, oldest first.',
  query: z.object(span).partial(),
  reply: z.array(UsageSum),
  errors: ['data_span_too_long'],
})

/** Usage of one user. */
export const UserSum = z.object({
  user_id: z.int(),
  username: z.string(),
  count: z.int(),
  quota: Quota,
  token_used: z.int(),
})
export type UserSum = z.output<typeof UserSum>

export const getUserRanking = endpoint({
  method: 'GET',
  path: '/api/data/users',
  access: 'admin',
  summary: 'Lists the 50 users who spent most.',
  query: z.object(span).partial(),
  reply: z.array(UserSum),
  errors: ['data_span_too_long'],
})

/** Usage of the API tokens of a user that have the same name. */
export const TokenSum = UserSum.extend({ token_name: z.string() })
export type TokenSum = z.output<typeof TokenSum>

export const getTokenRanking = endpoint({
  method: 'GET',
  path: '/api/data/tokens',
  access: 'admin',
  summary:
    'Lists the 50 API tokens with the highest cost, over whole UTC days: the first and the last day count in full. At most 31 days.',
  query: z.object({ start_timestamp: OptionalInteger, end_timestamp: OptionalInteger }).partial(),
  reply: z.array(TokenSum),
  errors: ['data_span_too_long'],
})

/** Attempts of one channel. */
export const ChannelSpeed = z.object({
  channel_id: z.int(),
  channel_name: z.string(),
  attempts: z.int(),
  failed: z.int(),
  /** Average milliseconds until a successful response begins. Percentiles are not stored. */
  average_ms: z.int(),
  /** Average milliseconds until the first token of streams; missing without streams. */
  first_token_ms: z.int().optional(),
})
export type ChannelSpeed = z.output<typeof ChannelSpeed>

/** Attempts are stored by minute, for this long. */
export const CHANNEL_DATA_SECONDS = 86_400

export const getSlowestChannels = endpoint({
  method: 'GET',
  path: '/api/data/channels',
  access: 'admin',
  summary: 'Lists the 50 slowest channels by their average time to respond. Data exists for the last 24 hours.',
  query: z.object({ start_timestamp: OptionalInteger, end_timestamp: OptionalInteger }).partial(),
  reply: z.array(ChannelSpeed),
  errors: [],
})

/** Live metrics of the data plane, over all nodes and about the last ten seconds. */
export const LiveFigures = z.object({
  requests_per_second: z.number(),
  tokens_per_second: z.number(),
  /** Share of failed requests, 0 to 1. */
  error_rate: z.number(),
  /** Milliseconds; missing without streams. */
  first_token_p50: z.number().optional(),
  first_token_p95: z.number().optional(),
  /** Requests in progress. */
  open_calls: z.int(),
  /** Number of reporting gateway processes. */
  nodes: z.int(),
  at: UnixSeconds,
})
export type LiveFigures = z.output<typeof LiveFigures>

export const followLiveFigures = endpoint({
  method: 'GET',
  path: '/api/data/live',
  access: 'admin',
  background: true,
  summary: 'Streams live metrics as server-sent events, with JSON in `data`, every two seconds.',
  reply: z.string(),
  bare: true,
  errors: [],
})
