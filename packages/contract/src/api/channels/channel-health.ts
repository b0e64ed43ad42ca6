import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { Id, IntegerList, Quota, UnixSeconds } from '../../values.ts'
import { CHANNEL_STATES } from './channel-list.ts'

/** The last hour: this many buckets of this many seconds, oldest first. */
export const HEALTH_BUCKETS = 12
export const HEALTH_BUCKET_SECONDS = 300

const MAX_CHANNELS = 500

export const HealthBucket = z.object({
  /** Start of the bucket. */
  time: UnixSeconds,
  succeeded: z.int(),
  failed: z.int(),
  /** Average of successful attempts; 0 if there were none. */
  average_ms: z.int(),
})
export type HealthBucket = z.output<typeof HealthBucket>

export const ChannelHealth = z.object({ channel_id: Id, buckets: z.array(HealthBucket) })
export type ChannelHealth = z.output<typeof ChannelHealth>

export const getChannelHealth = endpoint({
  method: 'GET',
  path: '/api/channel/health',
  access: 'admin',
  background: true,
  summary: 'Returns the results of attempts in the last hour for each channel of `ids`, in buckets of five minutes.',
  query: z
    .object({ ids: IntegerList })
    .partial()
    .transform(({ ids = [] }) => ({ ids: ids.filter((id) => id > 0).slice(0, MAX_CHANNELS) })),
  reply: z.array(ChannelHealth),
  errors: [],
})

/** A page of channels. */
const MAX_STATS = 100

const Count = z.int().nonnegative()

export const ChannelError = z.object({
  /** Code or type of the error; blank if the provider sent neither. */
  code: z.string(),
  /** HTTP status of the provider; null if there was none. */
  status: z.int().nullable(),
  /** Message of the provider, shortened and without keys. */
  message: z.string(),
  model: z.string(),
  time: UnixSeconds,
  request_id: z.string(),
})
export type ChannelError = z.output<typeof ChannelError>

export const ChannelStats = z.object({
  channel_id: Id,
  state: z.enum(CHANNEL_STATES),
  /** Attempts since the oldest bucket of `getChannelHealth`. */
  last_hour: z.object({
    succeeded: Count,
    failed: Count,
    /** Average; null if no response had a time to first token. */
    first_token_average_ms: z.int().nullable(),
  }),
  /** Billed requests and failed attempts of the current UTC day. */
  today: z.object({ requests: Count, billed_quota: Quota, failed: Count }),
  /** The current UTC day and the 29 days before it. Failures are stored for one day only. */
  last_30_days: z.object({ requests: Count, billed_quota: Quota }),
  /** Newest logged error of the last day; null if there is none, or if errors are not logged. */
  last_error: ChannelError.nullable(),
})
export type ChannelStats = z.output<typeof ChannelStats>

export const getChannelStats = endpoint({
  method: 'GET',
  path: '/api/channel/stats',
  access: 'admin',
  background: true,
  summary:
    'Returns state, attempts, billed amounts and the last error of up to 100 channels of `ids`. Unknown ids are left out. Days are in UTC.',
  query: z
    .object({ ids: IntegerList })
    .partial()
    .transform(({ ids = [] }) => ({ ids: [...new Set(ids.filter((id) => id > 0))].slice(0, MAX_STATS) })),
  reply: z.array(ChannelStats),
  errors: [],
})
