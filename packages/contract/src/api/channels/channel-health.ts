import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { Id, IntegerList, UnixSeconds } from '../../values.ts'

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
