import type { Language } from '@tidegate/contract'
import { messages, type Db } from '@tidegate/storage'
import { inSiteLanguage } from '../messaging/notifications/notify-root.ts'
import type { Deps } from '../deps.ts'
import type { Origin } from '../http/actor.ts'
import { composeMail } from '../messaging/mail/compose-mail.ts'
import type { MailQueue } from '../messaging/mail/mail-queue.ts'
import { canMail } from '../messaging/mail/mail.ts'

const TITLE = { zh: '您的密码已修改', en: 'Your password was changed' }

/** What happened, and what to do about it: a change that the owner did not make must not go unseen. */
function sentences({ clientIp }: Origin): Record<Language, string[]> {
  return {
    zh: [
      `您的密码刚刚从 ${clientIp} 修改，其他会话已全部退出，系统访问令牌和自动化令牌已全部吊销。`,
      '如果不是您本人操作，请立即联系管理员。',
    ],
    en: [
      `Your password was just changed from ${clientIp}; all other sessions were signed out, and the system access token and automation tokens were revoked.`,
      'If that was not you, tell the administrator at once.',
    ],
  }
}

/** Puts it into the user's inbox, in the transaction of the change. */
export async function tellOfNewPassword(transaction: Db, userId: number, origin: Origin): Promise<void> {
  const { zh, en } = sentences(origin)
  const content = inSiteLanguage({ zh: zh.join(''), en: en.join(' ') })
  await messages.send(transaction, { title: inSiteLanguage(TITLE), content, createdBy: 0 }, [userId])
}

/** Mails it as well, where the site can mail and the account has an address. */
export function mailOfNewPassword(
  { catalog, mails }: Pick<Deps, 'catalog'> & { mails: MailQueue },
  to: string,
  origin: Origin,
  language: Language,
): void {
  const { settings } = catalog()
  if (to === '' || !canMail(settings)) return
  const subject = `${settings.SystemName}: ${TITLE[language]}`
  const paragraphs = sentences(origin)[language]
  mails.add(composeMail({ to, subject, paragraphs, language, systemName: settings.SystemName }))
}
