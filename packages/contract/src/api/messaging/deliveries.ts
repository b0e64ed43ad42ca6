import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { pageOf, pageQuery, UNIFORM_PAGING } from '../../paging.ts'
import { Id, IsoTime } from '../../values.ts'

/** One notice on its way to a user, by mail or by webhook. */
export const Delivery = z.object({
  id: Id,
  kind: z.enum(['email', 'webhook']),
  /** What the notice is about: `quota_exceed`, `channel_test`, `test`, … */
  type: z.string(),
  title: z.string(),
  /** The mail address, or the address called. */
  target: z.string(),
  status: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.int(),
  /** What the webhook answered last: its HTTP status and the beginning of the body. Null before the first answer. */
  response_status: z.int().nullable(),
  response_body: z.string(),
  /** Why the last attempt failed, in words of ours. Blank after a success. */
  error: z.string(),
  created_at: IsoTime,
  last_attempt_at: IsoTime.nullable(),
  next_attempt_at: IsoTime.nullable(),
})
export type Delivery = z.output<typeof Delivery>

/**
 * Headers of a webhook call beside `Authorization: Bearer <secret>`. The id stays the same when a notice is sent again.
 * The signatures are HMAC-SHA-256 with the secret, in hex: of the raw body, and of `<timestamp>.<raw body>`.
 */
export const WEBHOOK_HEADERS = {
  id: 'X-Webhook-Id',
  timestamp: 'X-Webhook-Timestamp',
  signature: 'X-Webhook-Signature',
  timestampedSignature: 'X-Webhook-Timestamped-Signature',
} as const

export const listDeliveries = endpoint({
  method: 'GET',
  path: '/api/user/deliveries',
  access: 'user',
  summary: 'Notices sent to the user by mail or webhook, newest first.',
  query: pageQuery(UNIFORM_PAGING),
  reply: pageOf(Delivery),
  errors: [],
})

export const retryDelivery = endpoint({
  method: 'POST',
  path: '/api/user/deliveries/{id}/retry',
  access: 'user',
  summary: 'Sends a notice that could not be delivered once more, at once.',
  reply: Delivery,
  errors: ['delivery_not_found', 'delivery_not_failed'],
})

/** What the form holds may be tried before it is saved; a blank secret means the stored one, for the stored address only. */
export const NoticeTest = z.object({
  notify_type: z.enum(['email', 'webhook']),
  webhook_url: z.string().default(''),
  webhook_secret: z.string().default(''),
  webhook_bearer: z.boolean().optional(),
})

export const testNotice = endpoint({
  method: 'POST',
  path: '/api/user/setting/test',
  access: 'user',
  summary: 'Sends a notice of the kind `test` at once and answers how it went.',
  body: NoticeTest,
  reply: Delivery,
  errors: ['webhook_required', 'webhook_invalid', 'webhook_secret_invalid', 'email_missing', 'mail_not_configured'],
})
