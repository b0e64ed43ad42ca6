import { users, type DeliveryRow, type UserRow } from '@tidegate/storage'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { composeMail } from '../mail/compose-mail.ts'
import { canMail, isRefusedForGood, sendMail } from '../mail/mail.ts'
import type { Attempt } from './attempt.ts'
import { asParagraphs, type Notice } from './notification.ts'
import { noticeSettings, sendsBearer, webhookSecret } from './notification-settings.ts'
import { sendWebhook } from './send-webhook.ts'

export type SendDeps = Pick<Deps, 'db' | 'vault' | 'catalog' | 'log' | 'now' | 'site' | 'webhookClient' | 'upstream'>

/** What a row keeps of a notice beside its type and title. */
const Payload = z.object({ content: z.string(), values: z.array(z.string()) })

export interface SentNotice extends Attempt {
  /** Where it went. */
  target: string
}

/**
 * Sends a notice that waited, once. It goes where the user wants notices by now: who has mended an address does not want
 * what waited to go to the old one, nor the new secret to arrive there.
 */
export async function sendNotice(deps: SendDeps, delivery: DeliveryRow): Promise<SentNotice> {
  const user = await users.findById(deps.db, delivery.user_id)
  if (!user || user.deleted_at) return { target: delivery.target, error: 'account_gone', isFinal: true }
  const { email, webhookUrl } = noticeSettings(user)
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
): Promise<Attempt> {
  const notice: Notice = { type, title, ...Payload.parse(payload) }
  if (kind === 'webhook') return sendWebhook(deps, { url: target, secret, bearer, id, notice, madeAt: created_at })
  return sendByMail(deps, notice, target, user)
}

async function sendByMail(
  { catalog, log }: Pick<Deps, 'catalog' | 'log'>,
  notice: Notice,
  to: string,
  user: UserRow,
): Promise<Attempt> {
  const { settings } = catalog()
  if (!canMail(settings)) return { error: 'mail_not_configured', isFinal: true }
  const { paragraphs, link } = asParagraphs(notice)
  const mail = composeMail({
    to,
    subject: notice.title,
    paragraphs,
    ...(link !== undefined && URL.canParse(link) && { link }),
    language: noticeSettings(user).language,
    systemName: settings.SystemName,
  })
  try {
    await sendMail(settings, mail)
    return { error: '' }
  } catch (error) {
    const isFinal = isRefusedForGood(error)
    log.warn({ err: error, userId: user.id, type: notice.type }, 'a notice could not be mailed')
    return { error: isFinal ? 'mail_refused' : 'mail_failed', isFinal }
  }
}
