import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { OptionalText, Quota } from '../../values.ts'
import { UsageLog } from './logs.ts'

/** What a call goes through, in order. */
export const REQUEST_STEPS = [
  'authenticate',
  'limits',
  'prompt',
  'route',
  'credit',
  'attempt',
  'first_token',
  'answer',
  'settle',
] as const

export const RequestStep = z.object({
  kind: z.enum(REQUEST_STEPS),
  /** Milliseconds since the call came in, with up to one decimal. */
  started: z.number(),
  took: z.number(),
  /** Of an attempt: whether it was served, and as the vendor said it. The channel and the reason are for administrators. */
  served: z.boolean().optional(),
  status: z.int().optional(),
  channel: z.int().optional(),
  channel_name: z.string().optional(),
  dialect: z.string().optional(),
  reason: z.string().optional(),
})
export type RequestStep = z.output<typeof RequestStep>

export const RequestTrail = z.object({
  request_id: z.string(),
  /** Failed: there are only rows of failed attempts. Rejected: no channel was asked. */
  outcome: z.enum(['served', 'interrupted', 'failed', 'rejected']),
  steps: z.array(RequestStep),
  /** How channels were chosen; missing for ordinary users. */
  decision: z
    .object({
      candidates: z.int(),
      /** The conversation stayed on this channel. */
      kept: z.int().optional(),
      passed_over: z.array(z.object({ channel: z.int(), channel_name: z.string(), reason: z.string() })),
      passed_over_count: z.int(),
    })
    .optional(),
  /** The row that was billed; missing for a call that failed. Its `other` holds the factors of the price. */
  row: UsageLog.optional(),
  /** Rows of failed attempts and of the rejection, where the site keeps them. */
  errors: z.array(UsageLog),
  /** What it did to the books. */
  charged: z.object({
    quota: Quota,
    /** Of that, taken from the token's own limit. */
    token_quota: Quota,
    /** What could not be collected. */
    uncovered: Quota,
  }),
})
export type RequestTrail = z.output<typeof RequestTrail>

const query = z.object({ request_id: OptionalText }).partial()

export const getRequestTrail = endpoint({
  method: 'GET',
  path: '/api/log/request',
  access: 'admin',
  summary: 'Everything known of one call, by its request id.',
  query,
  reply: RequestTrail,
  errors: ['request_not_found'],
})

export const getOwnRequestTrail = endpoint({
  method: 'GET',
  path: '/api/log/self/request',
  access: 'user',
  summary: 'The same of an own call, without anything about channels.',
  query,
  reply: RequestTrail,
  errors: ['request_not_found'],
})
