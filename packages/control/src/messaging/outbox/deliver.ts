import { logEvent } from '@tidegate/contract'
import { deliveries, type DeliveryRow, pushSubscriptions, type UserRow, users } from '@tidegate/storage'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { attemptMail, composeMail } from '../mail/mail.ts'
import { retryDelay, type DeliveryAttempt } from './delivery-result.ts'
import {
  asParagraphs,
  type UserNotification,
  notificationSettings,
  sendsBearer,
  webhookSecret,
} from '../notifications/notification.ts'
import { sendPush } from '../push/send-push.ts'
import { sendWebhook } from './send-webhook.ts'
import { reportFailedDelivery } from './enqueue.ts'

const BATCH_SIZE = 20

/** Delivers due mails, webhooks and pushes until none is left or the process ends. Any number of processes may run it. */
export async function deliverDue(deps: SendDeps, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const due = await deliveries.claimDue(deps.db, BATCH_SIZE)
    if (due.length === 0) return
    await Promise.all(due.map((delivery) => deliver(deps, delivery)))
  }
}

async function deliver(deps: SendDeps, delivery: DeliveryRow): Promise<void> {
  try {
    await finishDelivery(deps, delivery, await trySend(deps, delivery))
  } catch (error) {
    // Database error: the lease expires and the delivery is tried again.
    logEvent(deps.log, 'delivery.state_not_stored', { err: error, delivery: delivery.id })
  }
}

/** Internal errors, such as a secret that cannot be opened, count as an attempt, so they do not repeat forever. */
async function trySend(deps: SendDeps, delivery: DeliveryRow): Promise<SendResult> {
  try {
    return await sendNotification(deps, delivery)
  } catch (error) {
    logEvent(deps.log, 'delivery.attempt_error', { err: error, delivery: delivery.id })
    return { target: delivery.target, error: 'interrupted' }
  }
}

/**
 * Stores the result: delivered, retry later, or failed. A failure is reported to the owner, except that of a push: the
 * inbox has its notification, and a push service that is down would be reported once per device.
 */
async function finishDelivery({ db, log }: SendDeps, delivery: DeliveryRow, sent: SendResult): Promise<void> {
  const retryInSeconds = retryDelay(sent, delivery.attempts)
  const row = await db.transaction().execute(async (transaction) => {
    const finished = await deliveries.finish(transaction, delivery, {
      status: sent.error === '' ? 'delivered' : retryInSeconds === undefined ? 'failed' : 'waiting',
      ...deliveryColumns(sent),
      ...(retryInSeconds !== undefined && { retryInSeconds }),
    })
    if (finished?.status === 'failed' && finished.kind !== 'push' && sent.error !== 'mail_not_configured') {
      await reportFailedDelivery(transaction, finished)
    }
    return finished
  })
  if (row?.status !== 'failed' || !MAIL_ERRORS.has(sent.error)) return
  const { id, user_id: userId, type, title: subject, attempts: tries } = row
  logEvent(log, 'delivery.mail_failed', { delivery: id, userId, type, subject, error: sent.error, tries })
}

/** Errors that the operator can fix. Failing webhooks and pushes concern only their owner. */
const MAIL_ERRORS: ReadonlySet<string> = new Set(['mail_failed', 'mail_refused'])

export function deliveryColumns({ target, error, responseStatus, responseBody }: SendResult) {
  return { target, error, response_status: responseStatus ?? null, response_body: responseBody ?? '' }
}

export type SendDeps = Pick<Deps, 'db' | 'vault' | 'catalog' | 'log' | 'now' | 'site' | 'webhookClient' | 'upstream'>

/** Stored content of a delivery besides type and title. */
const Payload = z.object({
  content: z.string(),
  values: z.array(z.string()),
  /** Language of the text, if it differs from the one the user chose. */
  language: z.enum(['zh', 'en']).optional(),
  /** The mail goes to the stored address, whatever the settings of the user are now. */
  fixed_target: z.boolean().optional(),
  /** ID of the subscription of a push. */
  subscription: z.number().optional(),
})

interface SendResult extends DeliveryAttempt {
  /** The used address. */
  target: string
}

/**
 * Sends a queued delivery once. A notification goes to the current address: after a correction, neither the
 * notification nor the new secret must go to the old address.
 */
export async function sendNotification(deps: SendDeps, delivery: DeliveryRow): Promise<SendResult> {
  const user = await users.findById(deps.db, delivery.user_id)
  if (!user || user.deleted_at) return { target: delivery.target, error: 'account_gone', isFinal: true }
  if (delivery.kind === 'push') return { target: delivery.target, ...(await sendToBrowser(deps, delivery)) }
  const { email, webhookUrl } = notificationSettings(user)
  const current = delivery.kind === 'webhook' ? webhookUrl : email
  const target = (!Payload.parse(delivery.payload).fixed_target && current) || delivery.target
  const secret = delivery.kind === 'webhook' ? webhookSecret(deps.vault, user) : undefined
  return { target, ...(await sendTo(deps, delivery, user, { target, secret, bearer: sendsBearer(user) })) }
}

async function sendToBrowser(deps: SendDeps, delivery: DeliveryRow): Promise<DeliveryAttempt> {
  const { id, user_id, type, title, payload } = delivery
  const { content, values, subscription = 0 } = Payload.parse(payload)
  const device = await pushSubscriptions.find(deps.db, user_id, subscription)
  if (!device) return { error: 'subscription_gone', isFinal: true }
  return sendPush(deps, device, { id, notification: { type, title, content, values } })
}

export interface Destination {
  target: string
  secret: string | undefined
  /** Whether the secret is also sent as a bearer token. */
  bearer: boolean
}

/** Sends a notification to an address that may differ from the settings. */
export function sendTo(
  deps: SendDeps,
  delivery: DeliveryRow,
  user: UserRow,
  { target, secret, bearer }: Destination,
): Promise<DeliveryAttempt> {
  const { id, kind, type, title, payload, created_at } = delivery
  const { content, values, language = notificationSettings(user).language } = Payload.parse(payload)
  const notification: UserNotification = { type, title, content, values }
  if (kind === 'webhook')
    return sendWebhook(deps, { url: target, secret, bearer, id, notification, createdAt: created_at })
  const { settings } = deps.catalog()
  const { paragraphs, link } = asParagraphs(notification)
  const mail = composeMail({
    to: target,
    subject: title,
    paragraphs,
    ...(link !== undefined && URL.canParse(link) && { link }),
    language,
    systemName: settings.SystemName,
  })
  const { log } = deps
  return attemptMail(settings, mail, { log, delivery: id, userId: user.id, type, tries: delivery.attempts })
}
