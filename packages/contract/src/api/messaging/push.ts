import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { Id, IsoTime, OptionalInteger, OptionalText } from '../../values.ts'
import { Delivery } from './deliveries.ts'

/** A browser that receives push notifications. Endpoint and keys are never returned. */
export const PushDevice = z.object({
  id: Id,
  /** SHA-256 of the endpoint, in hex: a browser finds its own subscription by it. */
  endpoint_hash: z.string(),
  /** Host of the push service. */
  host: z.string(),
  user_agent: z.string(),
  created_at: IsoTime,
  /** When the push service last accepted a notification. */
  last_success_at: IsoTime.nullable(),
})
export type PushDevice = z.output<typeof PushDevice>

/** How many browsers of a user can receive push notifications. */
export const MAX_PUSH_DEVICES = 10

export const getPush = endpoint({
  method: 'GET',
  path: '/api/user/push',
  access: 'user',
  summary: 'Returns the public key for push subscriptions and the browsers that receive your notifications.',
  reply: z.object({ public_key: z.string(), devices: z.array(PushDevice) }),
  errors: [],
})

/** Unpadded base64url of a value with this many bytes. */
const base64url = (bytes: number) =>
  z.string().regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}$`), `base64url of ${bytes} bytes`)

/** The fields of `PushSubscription.toJSON()`. */
export const NewPushDevice = z.object({
  endpoint: z.string().max(2048),
  keys: z.object({
    /** Public key of the browser: an uncompressed point on P-256. */
    p256dh: base64url(65),
    auth: base64url(16),
  }),
})
export type NewPushDevice = z.output<typeof NewPushDevice>

export const subscribePush = endpoint({
  method: 'POST',
  path: '/api/user/push',
  access: 'user',
  summary: 'Sends your notifications to this browser as well. Repeating it replaces the subscription.',
  body: NewPushDevice,
  largestBody: 8192,
  reply: PushDevice,
  errors: ['push_endpoint_invalid', 'push_keys_invalid', 'push_limit', 'egress_not_allowed'],
})

export const unsubscribePush = endpoint({
  method: 'DELETE',
  path: '/api/user/push',
  access: 'user',
  summary: 'Stops notifications to one of your browsers, by `id` or `endpoint_hash`.',
  query: z.object({ id: OptionalInteger.optional(), endpoint_hash: OptionalText.optional() }),
  reply: z.undefined(),
  errors: ['push_device_not_found'],
})

export const testPush = endpoint({
  method: 'POST',
  path: '/api/user/push/test',
  access: 'user',
  summary: 'Sends a notification of the type `test` to one of your browsers immediately and returns the result.',
  body: z.object({ id: Id }),
  reply: Delivery,
  errors: ['push_device_not_found'],
})
