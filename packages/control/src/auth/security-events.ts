import { ApiError, type Language, type LocalizedText } from '@tidegate/contract'
import { inTransaction } from '@tidegate/ledger'
import { auditEvents, type Db, sessions, type UserRow, users } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { plainParagraphs } from '../messaging/notifications/notification.ts'
import { enqueueMail, inSiteLanguage, sendToInbox } from '../messaging/outbox/enqueue.ts'
import { writeOwnLog } from '../users/user-log.ts'
import { ensureSessionActive } from './reauthenticate.ts'

/** Texts for the audit trail and the user's log. */
interface CredentialChange {
  action: string
  event: string
  content: string
  details?: Record<string, unknown>
}

/**
 * Changes credentials of a user, one change at a time. A session revoked meanwhile is rejected, so it cannot leave a
 * credential behind.
 */
export async function changeCredentials<Result>(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: Actor,
  origin: Origin,
  change: (transaction: Db, user: UserRow, at: Date) => Promise<{ note: CredentialChange; result: Result }>,
): Promise<Result> {
  const at = now()
  return inTransaction(db, at, async (transaction) => {
    const user = await users.lock(transaction, actor.id)
    if (!user || user.deleted_at) throw new ApiError('user_not_found')
    await ensureSessionActive(transaction, actor)
    const { note, result } = await change(transaction, user, at)
    const { action, event, content, details = {} } = note
    const subject = String(user.id)
    await auditEvents.record(transaction, { actorId: user.id, action, subject, details, ...origin })
    await writeOwnLog(transaction, user, at, { event, content, facts: details })
    return result
  })
}

/** Setting up a factor counts as re-authentication with it. */
export async function markFactorUsed(transaction: Db, { sessionHash }: Actor, at: Date): Promise<void> {
  if (sessionHash !== undefined) await sessions.markReauthenticated(transaction, sessionHash, at, 'factor')
}

/** A change of credentials that the owner must learn about. */
export interface SecurityEvent {
  /** Type of the delivery. */
  type: string
  title: LocalizedText
  /** What happened, without advice. */
  fact: LocalizedText
  /** What to do if the owner did not do it. */
  advice?: LocalizedText
}

export function totpTurnedOff({ clientIp }: Origin): SecurityEvent {
  return {
    type: 'security_totp_off',
    title: { zh: '两步验证已关闭', en: 'Two-factor authentication was turned off' },
    fact: {
      zh: `你账号的两步验证刚刚从 ${clientIp} 关闭，恢复码已全部失效。`,
      en: `Two-factor authentication of your account was just turned off from ${clientIp}, and its recovery codes are worth nothing now.`,
    },
  }
}

export function passkeyAdded({ clientIp }: Origin, name: string): SecurityEvent {
  return {
    type: 'security_passkey_added',
    title: { zh: '已添加通行密钥', en: 'A passkey was added' },
    fact: {
      zh: `刚刚从 ${clientIp} 为你的账号添加了通行密钥“${name}”，它可以用来登录。`,
      en: `The passkey “${name}” was just added to your account from ${clientIp}. It can be used to log in.`,
    },
  }
}

export function recoveryCodeUsed({ clientIp }: Origin, left: number): SecurityEvent {
  return {
    type: 'security_recovery_code_used',
    title: { zh: '有人使用恢复码登录', en: 'A recovery code was used to log in' },
    fact: {
      zh: `刚刚有人从 ${clientIp} 使用恢复码登录了你的账号，还剩 ${left} 个恢复码。`,
      en: `A recovery code was just used to log in to your account from ${clientIp}. There are ${left} left.`,
    },
  }
}

export function emailChanged({ clientIp }: Origin): SecurityEvent {
  return {
    type: 'security_email_changed',
    title: { zh: '邮箱已更换', en: 'Your email address was changed' },
    fact: {
      zh: `你账号的邮箱刚刚从 ${clientIp} 更换，密码重置邮件将发送到新邮箱。`,
      en: `The email address of your account was just changed from ${clientIp}. Password resets go to the new address.`,
    },
  }
}

export function factorsResetByAdmin(): SecurityEvent {
  return {
    type: 'security_factors_reset',
    title: { zh: '两步验证和通行密钥已被重置', en: 'Your second factors were reset' },
    fact: {
      zh: '管理员清除了你账号的两步验证和全部通行密钥，所有设备均已退出登录，系统访问令牌和自动化令牌已全部吊销。',
      en: 'An administrator removed two-factor authentication and all passkeys from your account. All sessions were ended, and the system access token and automation tokens were revoked.',
    },
  }
}

export function passwordChanged({ clientIp }: Origin): SecurityEvent {
  return {
    type: 'security_password_changed',
    title: { zh: '你的密码已修改', en: 'Your password was changed' },
    fact: {
      zh: `你的密码刚刚从 ${clientIp} 修改，其他会话已全部退出，系统访问令牌和自动化令牌已全部吊销。`,
      en: `Your password was just changed from ${clientIp}; all other sessions were signed out, and the system access token and automation tokens were revoked.`,
    },
    advice: {
      zh: '如果不是你本人操作，请立即联系管理员。',
      en: 'If that was not you, tell the administrator immediately.',
    },
  }
}

const ADVICE: LocalizedText = {
  zh: '如果不是你本人的意愿，请立即修改密码并联系管理员。',
  en: 'If you did not want this, change your password immediately and tell the administrator.',
}

/** Sends it to the user's inbox, in the transaction of the change. */
export async function sendSecurityMessage(
  transaction: Db,
  userId: number,
  { title, fact, advice = ADVICE }: SecurityEvent,
): Promise<void> {
  const values = [fact, advice].map(inSiteLanguage)
  await sendToInbox(transaction, userId, { title: inSiteLanguage(title), content: '{{value}}{{value}}', values })
}

/** Sends it to the inbox and queues a mail to the account's address, in the transaction of the change. */
export async function reportSecurityEvent(
  deps: Pick<Deps, 'catalog'>,
  transaction: Db,
  { id: userId, email: to }: Pick<UserRow, 'id' | 'email'>,
  event: SecurityEvent,
  language: Language,
): Promise<void> {
  const { type, title, fact, advice = ADVICE } = event
  await sendSecurityMessage(transaction, userId, event)
  await enqueueMail(
    deps,
    transaction,
    { userId, to, language },
    {
      type,
      title: `${deps.catalog().settings.SystemName}: ${title[language]}`,
      ...plainParagraphs([fact[language], advice[language]]),
    },
  )
}
