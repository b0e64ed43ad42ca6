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
} from './notification.ts'
import { sendWebhook } from './send-webhook.ts'
import { reportFailedDelivery } from './notify-user.ts'

const BATCH_SIZE = 20
/** The waits before the second and each further attempt. */
const WAITS_SECONDS = [10, 60, 300]

/** Sends what waits and whose time has come, until nothing is left or the process ends. Any number may run. */
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
    // The database is away: the lease runs out, and then it is tried again.
    deps.log.error({ err: error, delivery: delivery.id }, 'a notification could not be concluded')
  }
}

/** Counts what breaks on our side, such as a secret that no longer opens, as a try, so that it does not go on for ever. */
async function trySend(deps: SendDeps, delivery: DeliveryRow): Promise<SendResult> {
  try {
    return await sendNotification(deps, delivery)
  } catch (error) {
    deps.log.error({ err: error, delivery: delivery.id }, 'a notification could not be sent')
    return { target: delivery.target, error: 'interrupted' }
  }
}

/** Writes down how it went: done, to be tried again after a while, or given up, which its owner is told. */
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

/** What a row keeps of a notice beside its type and title. */
const Payload = z.object({ content: z.string(), values: z.array(z.string()) })

interface SendResult extends DeliveryAttempt {
  /** Where it went. */
  target: string
}

/**
 * Sends a notice that waited, once. It goes where the user wants notices by now: who has mended an address does not want
 * what waited to go to the old one, nor the new secret to arrive there.
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
  /** Whether the secret itself is sent along, as a bearer token. */
  bearer: boolean
}

/** Sends a notice to an address that may differ from the one in the settings. */
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
    log.warn({ err: error, userId: user.id, type: notification.type }, 'a notification could not be mailed')
    return { error: isFinal ? 'mail_refused' : 'mail_failed', isFinal }
  }
}
