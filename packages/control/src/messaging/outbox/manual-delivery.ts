import { type api, ApiError, type BodyOf, type Language } from '@tidegate/contract'
import {
  deliveries,
  type DeliveryRow,
  type NewDelivery,
  pushSubscriptions,
  type UserRow,
  users,
} from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { Actor } from '../../http/actor.ts'
import { rateLimitError } from '../../http/rate-limits.ts'
import { canMail } from '../mail/mail.ts'
import { type Destination, deliveryColumns, type SendDeps, sendNotification, sendTo } from './deliver.ts'
import {
  type LocalizedNotification,
  notificationSettings,
  sendsBearer,
  webhookSecret,
} from '../notifications/notification.ts'
import { localize } from './enqueue.ts'
import { checkWebhookSecret, checkWebhookUrl } from './send-webhook.ts'

type TestInput = BodyOf<typeof api.testNotice>

const TEST_NOTIFICATION: LocalizedNotification = {
  type: 'test',
  title: { zh: '测试通知', en: 'Test notification' },
  content: { zh: '{{value}}', en: '{{value}}' },
  values: [
    {
      zh: '这是一条测试通知。收到它说明通知可以正常送达。',
      en: 'This is a test. If you can read it, notifications reach you here.',
    },
  ],
}

/** Sends a test notification to the address in the form or the stored one, and returns the result. */
export async function sendTestNotification(
  deps: SendDeps & Pick<Deps, 'limiter'>,
  actor: Actor,
  test: TestInput,
  language: Language,
): Promise<DeliveryRow> {
  const user = await users.findById(deps.db, actor.id)
  if (!user) throw new ApiError('user_not_found')
  const kind = test.notify_type
  const destination = kind === 'webhook' ? webhookOf(deps, user, test) : mailAddressOf(deps, user)
  await takeSendLimit(deps, actor)

  const { target } = destination
  const row = await insertTest(deps, { user_id: user.id, kind, target }, language)
  const attempt = await sendTo(deps, row, user, destination)
  const status = attempt.error === '' ? 'delivered' : 'failed'
  return (await deliveries.finish(deps.db, row, { status, ...deliveryColumns({ target, ...attempt }) })) ?? row
}

/** Sends a test notification to a browser of the caller, and returns the result. */
export async function sendTestPush(
  deps: SendDeps & Pick<Deps, 'limiter'>,
  actor: Actor,
  id: number,
  language: Language,
): Promise<DeliveryRow> {
  const device = await pushSubscriptions.find(deps.db, actor.id, id)
  if (!device) throw new ApiError('push_device_not_found')
  await takeSendLimit(deps, actor)
  const row = await insertTest(deps, { user_id: actor.id, kind: 'push', target: device.host }, language, id)
  const sent = await sendNotification(deps, row)
  const status = sent.error === '' ? 'delivered' : 'failed'
  return (await deliveries.finish(deps.db, row, { status, ...deliveryColumns(sent) })) ?? row
}

function insertTest(
  { db }: Pick<Deps, 'db'>,
  to: Pick<NewDelivery, 'user_id' | 'kind' | 'target'>,
  language: Language,
  subscription?: number,
): Promise<DeliveryRow> {
  const { type, title, content, values } = localize(TEST_NOTIFICATION, language)
  const payload = { content, values, ...(subscription !== undefined && { subscription }) }
  return deliveries.insertAttempted(db, { ...to, type, title, payload, error: 'interrupted' })
}

function webhookOf({ vault, site }: Pick<Deps, 'vault' | 'site'>, user: UserRow, test: TestInput): Destination {
  const stored = notificationSettings(user).webhookUrl
  const url = test.webhook_url.trim() || stored
  if (url === '') throw new ApiError('webhook_required')
  const target = checkWebhookUrl(url, site)
  const bearer = test.webhook_bearer ?? sendsBearer(user)
  if (test.webhook_secret !== '') return { target, secret: checkWebhookSecret(test.webhook_secret), bearer }
  // The stored secret is sent only to the stored address.
  return { target, secret: target === stored ? webhookSecret(vault, user) : undefined, bearer }
}

function mailAddressOf({ catalog }: Pick<Deps, 'catalog'>, user: UserRow): Destination {
  const target = notificationSettings(user).email
  if (target === '') throw new ApiError('email_missing')
  if (!canMail(catalog().settings)) throw new ApiError('mail_not_configured')
  return { target, secret: undefined, bearer: false }
}

/** Retries a failed delivery of the caller now. If the process dies, the worker continues. */
export async function retryDelivery(
  deps: SendDeps & Pick<Deps, 'limiter'>,
  actor: Actor,
  id: number,
): Promise<DeliveryRow> {
  if (!(await deliveries.isOf(deps.db, actor.id, id))) throw new ApiError('delivery_not_found')
  await takeSendLimit(deps, actor)
  const delivery = await deliveries.claimFailed(deps.db, actor.id, id)
  if (!delivery) throw new ApiError('delivery_not_failed')
  const sent = await sendNotification(deps, delivery)
  const status = sent.error === '' ? 'delivered' : 'failed'
  return (await deliveries.finish(deps.db, delivery, { status, ...deliveryColumns(sent) })) ?? delivery
}

/** All of these cause requests to other servers, so they share one limit. */
async function takeSendLimit({ limiter }: Pick<Deps, 'limiter'>, actor: Actor): Promise<void> {
  const taken = await limiter.take([{ key: `send-notice:${actor.id}`, limit: 5, windowSeconds: 60 }])
  if (!taken.allowed) throw rateLimitError(taken.retryAfterSeconds)
}
