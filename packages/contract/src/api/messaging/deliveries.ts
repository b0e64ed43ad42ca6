import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { pageOf, pageQuery, UNIFORM_PAGING } from '../../paging.ts'
import { Id, IsoTime } from '../../values.ts'

/** One notification to a user, by mail, webhook or push. */
export const Delivery = z.object({
  id: Id,
  kind: z.enum(['email', 'webhook', 'push']),
  /** Type of the notification: `quota_exceed`, `channel_test`, `test`, … */
  type: z.string(),
  title: z.string(),
  /** Mail address, webhook URL, or host of the push service. */
  target: z.string(),
  status: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.int(),
  /** Last response: HTTP status and, of a webhook, start of the body. Null before the first response. */
  response_status: z.int().nullable(),
  response_body: z.string(),
  /** Why the last attempt failed. Blank after a success. */
  error: z.string(),
  created_at: IsoTime,
  last_attempt_at: IsoTime.nullable(),
  next_attempt_at: IsoTime.nullable(),
})
export type Delivery = z.output<typeof Delivery>

/**
 * Headers of a webhook request beside `Authorization: Bearer <secret>`. Retries have the same id. The signatures are
 * HMAC-SHA-256 with the secret, in hex: of the raw body, and of `<timestamp>.<raw body>`.
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
  summary: 'Lists your notifications by mail, webhook and push, newest first.',
  query: pageQuery(UNIFORM_PAGING),
  reply: pageOf(Delivery),
  errors: [],
})

export const retryDelivery = endpoint({
  method: 'POST',
  path: '/api/user/deliveries/{id}/retry',
  access: 'user',
  summary: 'Retries a failed notification immediately.',
  reply: Delivery,
  errors: ['delivery_not_found', 'delivery_not_failed'],
})

/** Tests values before they are saved. A blank secret means the stored one, for the stored URL only. */
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
  summary: 'Sends a notification of the type `test` immediately and returns the result.',
  body: NoticeTest,
  reply: Delivery,
  errors: ['webhook_required', 'webhook_invalid', 'webhook_secret_invalid', 'email_missing', 'mail_not_configured'],
})
