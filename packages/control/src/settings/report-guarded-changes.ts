import { OPTION_KEYS, optionDefinition, type Language, type OptionKey, type Settings } from '@tidegate/contract'
import { users } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { canMail, composeMail } from '../messaging/mail/mail.ts'
import type { DirectMails } from '../messaging/mail/direct-mails.ts'
import { notificationSettings, plainParagraphs } from '../messaging/notifications/notification.ts'
import { enqueueMail } from '../messaging/outbox/enqueue.ts'

/**
 * Runs an option change and mails the super admin about changed guarded options. A change of the mail server cannot hide
 * itself: the mail about it goes directly through the previous server.
 */
export async function reportGuardedChanges<Result>(
  { db, catalog, mails }: Pick<Deps, 'db' | 'catalog'> & { mails: DirectMails },
  { actor, origin }: { actor: Actor; origin: Origin },
  change: () => Promise<Result>,
): Promise<Result> {
  const before = catalog().settings
  const root = await findRoot(db)
  const result = await change()
  const changed = guardedChanges(before, catalog().settings)
  if (changed.length === 0 || !root?.email || !canMail(before)) return result

  const { language } = notificationSettings(root)
  const { subject, paragraphs } = mailTexts(actor, origin, changed)[language]
  const title = `${before.SystemName}: ${subject}`
  const recipient = { userId: root.id, to: root.email, language }
  if (changed.some((key) => key.startsWith('SMTP'))) {
    const { to } = recipient
    mails.add(composeMail({ to, subject: title, paragraphs, language, systemName: before.SystemName }), before)
  } else {
    const notification = { type: 'security_options_changed', title, ...plainParagraphs(paragraphs) }
    await enqueueMail({ catalog }, db, recipient, notification)
  }
  return result
}

async function findRoot(db: Deps['db']) {
  const root = await users.findRoot(db)
  return root && users.findById(db, root.id)
}

function guardedChanges(before: Settings, after: Settings): OptionKey[] {
  return OPTION_KEYS.filter((key) => {
    const { tab, guard, format } = optionDefinition(key)
    return tab === 'system' && guard === 'reauth' && format(before[key]) !== format(after[key])
  })
}

function mailTexts(
  { username }: Actor,
  { clientIp }: Origin,
  keys: readonly OptionKey[],
): Record<Language, { subject: string; paragraphs: string[] }> {
  const list = keys.join(', ')
  return {
    zh: {
      subject: '安全相关设置已更改',
      paragraphs: [
        `${username} 刚刚从 ${clientIp} 更改了以下设置：${list}`,
        '如果你不知情，请立即修改密码，并检查系统设置和审计日志。',
      ],
    },
    en: {
      subject: 'Security settings were changed',
      paragraphs: [
        `${username} just changed these settings from ${clientIp}: ${list}`,
        'If you did not expect this, change your password immediately and check the system settings and the audit log.',
      ],
    },
  }
}
