import type { Settings } from '@tidegate/contract'
import { auditEvents, deliveries, messages, type Db, type UserRow } from '@tidegate/storage'
import { knownDevices } from './device-cookie.ts'
import type { Deps } from '../../deps.ts'
import type { Origin } from '../../http/actor.ts'
import { canMail } from '../../messaging/mail/mail.ts'
import { noticeSettings } from '../../messaging/notifications/notification-settings.ts'
import { asMarkdown, type BilingualNotice } from '../../messaging/notifications/notification.ts'
import { inLanguage } from '../../messaging/notifications/notify-user.ts'

/**
 * Mails the owner of an account that a browser signs in to for the first time, in the transaction of the sign-in and
 * before its event is recorded. The first sign-in of an account is no news.
 */
export async function tellOfNewDevice(
  deps: Pick<Deps, 'vault' | 'now' | 'catalog'>,
  transaction: Db,
  user: UserRow,
  origin: Origin,
): Promise<void> {
  if (!isMailed(deps.catalog().settings, user)) return
  if (knownDevices(deps, origin).some(({ userId }) => userId === user.id)) return
  if (!(await auditEvents.hasActedSince(transaction, user.id, 'user.login', new Date(0)))) return

  const { type, title, content, values } = inLanguage(newDevice(origin, deps.now()), noticeSettings(user).language)
  await messages.send(transaction, { title, content: asMarkdown({ content, values }), createdBy: 0 }, [user.id])
  await deliveries.enqueue(transaction, {
    user_id: user.id,
    kind: 'email',
    type,
    title,
    target: user.email,
    payload: { content, values },
  })
}

function isMailed(settings: Settings, { email }: Pick<UserRow, 'email'>): boolean {
  return settings['security.new_device_mail_enabled'] && email !== '' && canMail(settings)
}

function newDevice({ clientIp, userAgent }: Origin, at: Date): BilingualNotice {
  return {
    type: 'new_device',
    title: { zh: '新设备登录提醒', en: 'Sign-in from a new device' },
    content: {
      zh: '您的账号刚刚在一个新的浏览器上登录。\n\n时间：{{value}}\n\n来源地址：{{value}}\n\n浏览器：{{value}}\n\n如果不是您本人操作，请立即修改密码并退出全部会话。',
      en: 'A browser that had not been used before signed in to your account.\n\nTime: {{value}}\n\nAddress: {{value}}\n\nBrowser: {{value}}\n\nIf that was not you, change your password at once and end all sessions.',
    },
    values: [at.toISOString(), clientIp, userAgent.slice(0, 200)],
  }
}
