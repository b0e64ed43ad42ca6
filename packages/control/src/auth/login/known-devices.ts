import { randomBytes } from 'node:crypto'
import type { Settings } from '@tidegate/contract'
import { auditEvents, type Db, type UserRow } from '@tidegate/storage'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../../deps.ts'
import type { Origin } from '../../http/actor.ts'
import { setSiteCookie } from '../../http/cookies.ts'
import { canMail } from '../../messaging/mail/mail.ts'
import { type LocalizedNotification, notificationSettings } from '../../messaging/notifications/notification.ts'
import { enqueueMail, localize, sendToInbox } from '../../messaging/outbox/enqueue.ts'

export const DEVICE_COOKIE = 'tidegate_device'
const DEVICE_SECONDS = 365 * 24 * 60 * 60
/** Accounts that one browser is known for, newest first. */
const MAX_ACCOUNTS = 5

/** A browser that logged in to an account before. It has its own login throttle and grants no access. */
export interface KnownDevice {
  readonly userId: number
  /** Identifies the cookie in rate limit keys. */
  readonly nonce: string
  /** The entry as stored in the cookie. */
  readonly text: string
}

/** The accounts for which the device cookie has a valid signature. */
export function knownDevices(
  { vault, now }: Pick<Deps, 'vault' | 'now'>,
  { deviceCookie = '' }: Pick<Origin, 'deviceCookie'>,
): KnownDevice[] {
  const seconds = now().getTime() / 1000
  return deviceCookie
    .split('~')
    .slice(0, MAX_ACCOUNTS)
    .flatMap((text) => {
      const [userId = '', expires = '', nonce = '', ...signature] = text.split('.')
      const isSigned = vault.matches('device', `${userId}.${expires}.${nonce}`, signature.join('.'))
      return isSigned && Number(expires) > seconds ? [{ userId: Number(userId), nonce, text }] : []
    })
}

/** Adds the account to the device cookie. */
export function setDeviceCookie(
  deps: Pick<Deps, 'vault' | 'now'>,
  userId: number,
  { origin, reply }: { origin: Origin; reply: FastifyReply },
): void {
  const expires = Math.floor(deps.now().getTime() / 1000) + DEVICE_SECONDS
  const claim = `${userId}.${expires}.${randomBytes(12).toString('base64url')}`
  const others = knownDevices(deps, origin).filter((device) => device.userId !== userId)
  const entries = [`${claim}.${deps.vault.keyedHash('device', claim)}`, ...others.map(({ text }) => text)]
  const value = entries.slice(0, MAX_ACCOUNTS).join('~')
  setSiteCookie(reply, origin, { name: DEVICE_COOKIE, value, maxAge: DEVICE_SECONDS })
}

/**
 * Mails the owner about the first login from a browser, in the transaction of the login and before its event is
 * recorded. The first login of an account is not reported.
 */
export async function notifyOfNewDevice(
  deps: Pick<Deps, 'vault' | 'now' | 'catalog'>,
  transaction: Db,
  user: UserRow,
  origin: Origin,
): Promise<void> {
  if (!canMailUser(deps.catalog().settings, user)) return
  if (knownDevices(deps, origin).some(({ userId }) => userId === user.id)) return
  if (!(await auditEvents.existsSince(transaction, user.id, 'user.login', new Date(0)))) return

  const { language } = notificationSettings(user)
  const notification = localize(newDeviceNotification(origin, deps.now()), language)
  await sendToInbox(transaction, user.id, notification)
  await enqueueMail(deps, transaction, { userId: user.id, to: user.email, language }, notification)
}

function canMailUser(settings: Settings, { email }: Pick<UserRow, 'email'>): boolean {
  return settings['security.new_device_mail_enabled'] && email !== '' && canMail(settings)
}

function newDeviceNotification({ clientIp, userAgent }: Origin, at: Date): LocalizedNotification {
  return {
    type: 'new_device',
    title: { zh: '新设备登录提醒', en: 'Sign-in from a new device' },
    content: {
      zh: '你的账号刚刚在一个新的浏览器上登录。\n\n时间：{{value}}\n\n来源地址：{{value}}\n\n浏览器：{{value}}\n\n如果不是你本人操作，请立即修改密码并退出全部会话。',
      en: 'A browser that had not been used before signed in to your account.\n\nTime: {{value}}\n\nAddress: {{value}}\n\nBrowser: {{value}}\n\nIf that was not you, change your password immediately and end all sessions.',
    },
    values: [at.toISOString(), clientIp, userAgent.slice(0, 200)],
  }
}
