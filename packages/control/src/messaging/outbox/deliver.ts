import { logEvent } from '@tidegate/contract'
import { type Db, deliveries, type DeliveryRow, type UserRow, users } from '@tidegate/storage'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { canMail, composeMail, isPermanentRejection, sendMail } from '../mail/mail.ts'
import type { DeliveryAttempt } from './delivery-result.ts'
import {
  asParagraphs,
  type UserNotification,
  notificationSettings,
  sendsBearer,
  webhookSecret,
} from '../notifications/notification.ts'
import { sendWebhook } from './send-webhook.ts'
import { reportFailedDelivery } from './enqueue.ts'

const BATCH_SIZE = 20
/** Delays before the second and further attempts. */
const WAITS_SECONDS = [10, 60, 300]

/** Delivers due notifications until none is left or the process ends. Any number of processes may run it. */
export async function deliverDue(deps: SendDeps, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const due = await deliveries.claimDue(deps.db, BATCH_SIZE)
    if (due.length === 0) return
    await Promise.all(due.map((delivery) => deliver(deps, delivery)))
  }
}

async function deliver(deps: SendDeps, delivery: DeliveryRow): Promise<void> {
  try {
    await finishDelivery(deps.db, delivery, await trySend(deps, delivery))
  } catch (error) {
    // Database error: the lease expires and the delivery is tried again.
    logEvent(deps.log, 'notification.state_not_stored', { err: error, delivery: delivery.id })
  }
}

/** Internal errors, such as a secret that cannot be opened, count as an attempt, so they do not repeat forever. */
async function trySend(deps: SendDeps, delivery: DeliveryRow): Promise<SendResult> {
  try {
    return await sendNotification(deps, delivery)
  } catch (error) {
    logEvent(deps.log, 'notification.failed', { err: error, delivery: delivery.id })
    return { target: delivery.target, error: 'interrupted' }
  }
}

/** Stores the result: delivered, retry later, or failed, which the owner is told. */
async function finishDelivery(db: Db, delivery: DeliveryRow, sent: SendResult): Promise<void> {
  const wait = sent.isFinal ? undefined : WAITS_SECONDS[delivery.attempts - 1]
  const isAgain = sent.error !== '' && wait !== undefined
  await db.transaction().execute(async (transaction) => {
    const row = await deliveries.finish(transaction, delivery, {
      status: sent.error === '' ? 'delivered' : isAgain ? 'waiting' : 'failed',
      ...deliveryColumns(sent),
      ...(isAgain && { retryInSeconds: wait }),
    })
    if (row?.status === 'failed' && sent.error !== 'mail_not_configured') await reportFailedDelivery(transaction, row)
  })
}

export function deliveryColumns({ target, error, responseStatus, responseBody }: SendResult) {
  return { target, error, response_status: responseStatus ?? null, response_body: responseBody ?? '' }
}

export type SendDeps = Pick<Deps, 'db' | 'vault' | 'catalog' | 'log' | 'now' | 'site' | 'webhookClient' | 'upstream'>

/** Stored content of a notification besides type and title. */
const Payload = z.object({ content: z.string(), values: z.array(z.string()) })

interface SendResult extends DeliveryAttempt {
  /** The used address. */
  target: string
}

/**
 * Sends a queued notification once, to the current address: after a correction, neither the notification nor the new
 * secret must go to the old address.
 */
export async function sendNotification(deps: SendDeps, delivery: DeliveryRow): Promise<SendResult> {
  const user = await users.findById(deps.db, delivery.user_id)
  if (!user || user.deleted_at) return { target: delivery.target, error: 'account_gone', isFinal: true }
  const { email, webhookUrl } = notificationSettings(user)
  const target = (delivery.kind === 'webhook' ? webhookUrl : email) || delivery.target
  const secret = delivery.kind === 'webhook' ? webhookSecret(deps.vault, user) : undefined
  return { target, ...(await sendTo(deps, delivery, user, { target, secret, bearer: sendsBearer(user) })) }
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
  { id, kind, type, title, payload, created_at }: DeliveryRow,
  user: UserRow,
  { target, secret, bearer }: Destination,
): Promise<DeliveryAttempt> {
  const notification: UserNotification = { type, title, ...Payload.parse(payload) }
  if (kind === 'webhook')
    return sendWebhook(deps, { url: target, secret, bearer, id, notification, createdAt: created_at })
  return sendByMail(deps, notification, target, user)
}

async function sendByMail(
  { catalog, log }: Pick<Deps, 'catalog' | 'log'>,
  notification: UserNotification,
  to: string,
  user: UserRow,
): Promise<DeliveryAttempt> {
  const { settings } = catalog()
  if (!canMail(settings)) return { error: 'mail_not_configured', isFinal: true }
  const { paragraphs, link } = asParagraphs(notification)
  const mail = composeMail({
    to,
    subject: notification.title,
    paragraphs,
    ...(link !== undefined && URL.canParse(link) && { link }),
    language: notificationSettings(user).language,
    systemName: settings.SystemName,
  })
  try {
    await sendMail(settings, mail)
    return { error: '' }
  } catch (error) {
    const isFinal = isPermanentRejection(error)
    logEvent(log, 'notification.mail_failed', { err: error, userId: user.id, type: notification.type })
    return { error: isFinal ? 'mail_refused' : 'mail_failed', isFinal }
  }
}
