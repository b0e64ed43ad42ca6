import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { OptionalText, Quota, UnixSeconds } from '../../values.ts'

const sums = {
  /** Charged to users. */
  revenue: Quota,
  /** Billed requests. */
  requests: z.int(),
  /** Share of model requests that no channel could serve, 0 to 1; null without requests. */
  error_rate: z.number().nullable(),
  active_users: z.int(),
  /** Milliseconds; null without streams, and where the log of the day has more than 20,000 rows until now. */
  first_token_p95: z.number().nullable(),
}

const OverviewDay = z.object({
  /** Start of the day, rounded down to a whole UTC hour, because usage is stored by UTC hour. */
  start: UnixSeconds,
  ...sums,
  /** Every hour of the day until now, oldest first. */
  hours: z.array(z.object({ time: UnixSeconds, ...sums })),
})
export type OverviewDay = z.output<typeof OverviewDay>

export const Overview = z.object({
  /** The time zone of the day boundaries. */
  timezone: z.string(),
  today: OverviewDay,
  /** The same hours of the day before. The last hour is whole, while that of today is not over. */
  yesterday: OverviewDay,
})
export type Overview = z.output<typeof Overview>

export const getOverview = endpoint({
  method: 'GET',
  path: '/api/overview',
  access: 'admin',
  background: true,
  summary:
    'Returns revenue, requests, error rate and active users of today and of the same hours of yesterday. `timezone` is an IANA name, UTC by default.',
  query: z.object({ timezone: OptionalText }).partial(),
  reply: Overview,
  errors: ['timezone_unknown'],
})

/** Kinds of problems, the most urgent first. */
export const ATTENTION_KINDS = [
  'channel_failing',
  'channel_auto_disabled',
  'model_unpriced',
  'channel_low_balance',
  'user_low_balance',
  'error_logging_off',
  'retries_off',
] as const

/** Upstream balance in dollars below which a channel is listed. */
export const LOW_CHANNEL_BALANCE = 10

const AttentionItem = z.object({
  kind: z.enum(ATTENTION_KINDS),
  channel_id: z.int().optional(),
  channel_name: z.string().optional(),
  user_id: z.int().optional(),
  username: z.string().optional(),
  model: z.string().optional(),
  /** The option to change. */
  option: z.string().optional(),
  /** Why a channel was disabled. */
  reason: z.string().optional(),
  /** When a channel was disabled, or when its balance was read. */
  time: UnixSeconds.optional(),
  /** Attempts of a failing channel in the last 15 minutes. */
  attempts: z.int().optional(),
  failed: z.int().optional(),
  /** Upstream balance in dollars. */
  balance: z.number().optional(),
  /** Remaining quota of a user, and the limit of the warning. */
  quota: Quota.optional(),
  limit: Quota.optional(),
})
export type AttentionItem = z.output<typeof AttentionItem>

export const Attention = z.array(
  z.object({ kind: z.enum(ATTENTION_KINDS), total: z.int(), items: z.array(AttentionItem) }),
)
export type Attention = z.output<typeof Attention>

export const getAttention = endpoint({
  method: 'GET',
  path: '/api/overview/attention',
  access: 'admin',
  background: true,
  summary: 'Lists what an operator should look at, the most urgent kind first: its total and the first five items.',
  reply: Attention,
  errors: [],
})
