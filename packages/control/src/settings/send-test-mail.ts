import { ApiError, type Language } from '@tidegate/contract'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import type { Actor } from '../http/actor.ts'
import { rateLimitError } from '../http/rate-limits.ts'
import { attemptMail, canMail, composeMail } from '../messaging/mail/mail.ts'

const TEXTS = {
  zh: { subject: '测试邮件', text: '这是一封测试邮件。收到它说明邮件服务器设置正确。' },
  en: { subject: 'Test mail', text: 'This is a test. If you can read it, the mail server is set up correctly.' },
}

/** Sends directly instead of through the outbox, to show the server's error. */
export async function sendTestMail(
  { catalog, limiter, log }: Pick<Deps, 'catalog' | 'limiter' | 'log'>,
  actor: Actor,
  to: string,
  language: Language,
): Promise<{ sent: boolean; problem: string }> {
  const { settings } = catalog()
  if (!z.email().safeParse(to).success) throw new ApiError('email_invalid')
  if (!canMail(settings)) throw new ApiError('mail_not_configured')
  const taken = await limiter.take([{ key: `test-mail:${actor.id}`, limit: 5, windowSeconds: 60 }])
  if (!taken.allowed) throw rateLimitError(taken.retryAfterSeconds)

  const { subject, text } = TEXTS[language]
  const systemName = settings.SystemName
  const mail = composeMail({ to, subject: `${systemName} ${subject}`, paragraphs: [text], language, systemName })
  const { error, cause } = await attemptMail(settings, mail, { log, tries: 1 })
  if (error === '') return { sent: true, problem: '' }
  // Only the super admin sees it.
  return { sent: false, problem: (cause instanceof Error ? cause.message : String(cause)).slice(0, 500) }
}
