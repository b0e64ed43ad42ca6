import { ApiError, type Language } from '@tidegate/contract'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import type { Actor } from '../http/actor.ts'
import { rateLimited } from '../http/rate-limits.ts'
import { canMail, composeMail, sendMail } from '../messaging/mail/mail.ts'

const TEXTS = {
  zh: { subject: '测试邮件', text: '这是一封测试邮件。收到它说明邮件服务器设置正确。' },
  en: { subject: 'Test mail', text: 'This is a test. If you can read it, the mail server is set up correctly.' },
}

/** Sends directly instead of through the queue, to show the server's error. */
export async function sendTestMail(
  { catalog, limiter }: Pick<Deps, 'catalog' | 'limiter'>,
  actor: Actor,
  to: string,
  language: Language,
): Promise<{ sent: boolean; problem: string }> {
  const { settings } = catalog()
  if (!z.email().safeParse(to).success) throw new ApiError('email_invalid')
  if (!canMail(settings)) throw new ApiError('mail_not_configured')
  const taken = await limiter.take([{ key: `test-mail:${actor.id}`, limit: 5, windowSeconds: 60 }])
  if (!taken.allowed) throw rateLimited(taken.retryAfterSeconds)

  const { subject, text } = TEXTS[language]
  const systemName = settings.SystemName
  try {
    await sendMail(
      settings,
      composeMail({ to, subject: `${systemName} ${subject}`, paragraphs: [text], language, systemName }),
    )
    return { sent: true, problem: '' }
  } catch (error) {
    // Only the super admin sees it.
    return { sent: false, problem: (error instanceof Error ? error.message : String(error)).slice(0, 500) }
  }
}
