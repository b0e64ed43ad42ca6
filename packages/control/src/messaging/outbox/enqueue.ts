import type { Language, LocalizedText } from '@tidegate/contract'
import {
  deliveries,
  messages,
  pushSubscriptions,
  users,
  type Db,
  type DeliveryRow,
  type UserRow,
} from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { canMail } from '../mail/mail.ts'
import { failureText } from './delivery-result.ts'
import {
  asMarkdown,
  notificationSettings,
  quote,
  SITE_LANGUAGE,
  type LocalizedNotification,
  type UserNotification,
} from '../notifications/notification.ts'

/** A webhook that failed this often in a row is paused until a test succeeds or its address changes. */
export const MAX_FAILURES_IN_A_ROW = 3

/**
 * Notifies a user: in the inbox at once, and through the worker by mail or webhook and on every browser that receives
 * push notifications. Call it in the transaction of the event, so all commit together.
 */
export async function notifyUser(
  transaction: Db,
  user: Pick<UserRow, 'id' | 'email' | 'setting'>,
  localized: LocalizedNotification,
): Promise<void> {
  const { method, email, webhookUrl, language } = notificationSettings(user)
  const notification = localize(localized, language)
  const { type, title, content, values } = notification
  await sendToInbox(transaction, user.id, notification)
  await enqueuePushes(transaction, user.id, notification)
  const target = method === 'webhook' ? webhookUrl : email
  if (target === '') return
  if (method === 'webhook' && (await isWebhookPaused(transaction, user.id, target))) return
  await deliveries.enqueue(transaction, {
    user_id: user.id,
    kind: method,
    type,
    title,
    target,
    payload: { content, values },
  })
}

async function enqueuePushes(
  transaction: Db,
  userId: number,
  { type, title, content, values }: UserNotification,
): Promise<void> {
  for (const { id, host } of await pushSubscriptions.listOf(transaction, userId)) {
    await deliveries.enqueue(transaction, {
      user_id: userId,
      kind: 'push',
      type,
      title,
      target: host,
      payload: { content, values, subscription: id },
    })
  }
}

/** Adds a message of the system to the inbox of a user, in the transaction of the event. */
export async function sendToInbox(
  transaction: Db,
  userId: number,
  notification: Omit<UserNotification, 'type'>,
): Promise<void> {
  const message = { title: notification.title, content: asMarkdown(notification), createdBy: 0 }
  await messages.send(transaction, message, [userId])
}

interface MailRecipient {
  userId: number
  to: string
  language: Language
}

/**
 * Queues a mail about an account, in the transaction of the event, if mail is configured and there is an address. The
 * mail goes to `to` even if the user changes addresses meanwhile: it may report that very change.
 */
export async function enqueueMail(
  { catalog }: Pick<Deps, 'catalog'>,
  transaction: Db,
  { userId, to, language }: MailRecipient,
  { type, title, content, values }: UserNotification,
): Promise<void> {
  if (to === '' || !canMail(catalog().settings)) return
  await deliveries.enqueue(transaction, {
    user_id: userId,
    kind: 'email',
    type,
    title,
    target: to,
    payload: { content, values, language, fixed_target: true },
  })
}

export async function isWebhookPaused(db: Db, userId: number, target: string): Promise<boolean> {
  const max = MAX_FAILURES_IN_A_ROW
  return (await deliveries.countFailuresSinceSuccess(db, { userId, target, max })) >= max
}

export function localize(
  { type, title, content, values }: LocalizedNotification,
  language: Language,
): UserNotification {
  const translate = (text: string | LocalizedText) => (typeof text === 'string' ? text : text[language])
  return { type, title: translate(title), content: translate(content), values: values.map(translate) }
}

/** Language of stored texts without a known reader. */
export function inSiteLanguage(phrase: LocalizedText): string {
  return phrase[SITE_LANGUAGE]
}

/** Notifies the super admin, in the transaction of the event. */
export async function notifyRoot(transaction: Db, notification: LocalizedNotification): Promise<void> {
  const root = await users.findRoot(transaction)
  const user = root && (await users.findById(transaction, root.id))
  if (user) await notifyUser(transaction, user, notification)
}

/**
 * Sends a message to the owner's inbox when a delivery failed. Shows only the host of the address, because its path may be a
 * secret.
 */
export async function reportFailedDelivery(transaction: Db, delivery: DeliveryRow): Promise<void> {
  const { user_id: userId, kind, target, title, error, response_status } = delivery
  const user = await users.findById(transaction, userId)
  if (!user || user.deleted_at) return
  const { language } = notificationSettings(user)
  const isOff = kind === 'webhook' && (await isWebhookPaused(transaction, userId, target))
  const place = quote(kind === 'webhook' ? (URL.parse(target)?.host ?? target) : target)
  const reason = quote(failureText(error, response_status, language))
  const heading = isOff
    ? { zh: 'Webhook 通知已暂停', en: 'Notifications to your webhook are paused' }
    : { zh: '一条通知未能送达', en: 'A notification could not be delivered' }
  const facts = {
    zh: `通知「${quote(title)}」未能送达 ${place}：${reason}`,
    en: `The notification "${quote(title)}" could not be delivered to ${place}: ${reason}`,
  }
  const advice = isOff
    ? {
        zh: '该 Webhook 已连续多次失败，通知暂时只发送到站内消息。请在个人设置中修正地址，或发送一条测试通知；成功后自动恢复。',
        en: 'It has failed several times in a row, so notifications now reach only your inbox. Correct the address in your settings or send a test notification. The first success resumes them.',
      }
    : { zh: '可以在个人设置的发送记录中重试。', en: 'You can send it again from the delivery log in your settings.' }
  const content = `${facts[language]}\n\n${advice[language]}`
  await messages.send(transaction, { title: heading[language], content, createdBy: 0 }, [userId])
}
