import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { OptionalText, Quota } from '../../values.ts'
import { UsageLog } from './logs.ts'

/** Steps of a request, in order. */
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
  /** Milliseconds since the start of the request, with up to one decimal. */
  started: z.number(),
  took: z.number(),
  /** For attempts: whether it succeeded, and the provider's status. Only administrators see channel and reason. */
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
  /** Failed: all attempts failed. Rejected: there was no attempt. */
  outcome: z.enum(['served', 'interrupted', 'failed', 'rejected']),
  steps: z.array(RequestStep),
  /** How channels were selected; missing for ordinary users. */
  decision: z
    .object({
      candidates: z.int(),
      /** Channel selected by session affinity. */
      kept: z.int().optional(),
      passed_over: z.array(z.object({ channel: z.int(), channel_name: z.string(), reason: z.string() })),
      passed_over_count: z.int(),
    })
    .optional(),
  /** The billed row; missing for failed requests. Its `other` contains the factors of the price. */
  row: UsageLog.optional(),
  /** Rows of failed attempts and of the rejection, if the site logs them. */
  errors: z.array(UsageLog),
  /** Effect on balances. */
  charged: z.object({
    quota: Quota,
    /** The part charged to the quota of the token. */
    token_quota: Quota,
    /** The part that the account could not pay. */
    uncovered: Quota,
  }),
})
export type RequestTrail = z.output<typeof RequestTrail>

const query = z.object({ request_id: OptionalText }).partial()

export const getRequestTrail = endpoint({
  method: 'GET',
  path: '/api/log/request',
  access: 'admin',
  summary: 'Returns everything recorded about one request, by its request id.',
  query,
  reply: RequestTrail,
  errors: ['request_not_found'],
})

export const getOwnRequestTrail = endpoint({
  method: 'GET',
  path: '/api/log/self/request',
  access: 'user',
  summary: 'Returns everything recorded about one of your requests, without channel fields.',
  query,
  reply: RequestTrail,
  errors: ['request_not_found'],
})
