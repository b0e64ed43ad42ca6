import { randomInt } from 'node:crypto'
import { ApiError, type Language } from '@tidegate/contract'
import { registrations } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { addressTakenMail, verificationMail } from '../../messaging/mail/account-mails.ts'
import type { MailQueue } from '../../messaging/mail/mail-queue.ts'
import { canMail } from '../../messaging/mail/mail.ts'
import { checkEmailRules, readEmail } from './check-email.ts'
import { CODE_MINUTES, issueCode } from './mail-codes.ts'

type VerificationDeps = Pick<Deps, 'db' | 'vault' | 'limiter' | 'catalog' | 'now'> & { mails: MailQueue }

/**
 * Mails a code: to register with, or, for somebody logged in, to bind the address. A taken address is told to its owner
 * by mail and to nobody else; it costs the same work, so that neither the answer nor its time tells.
 */
export async function sendVerification(
  { mails, ...deps }: VerificationDeps,
  email: string,
  actor: Actor | undefined,
  { clientIp }: Origin,
  language: Language,
): Promise<void> {
  const { settings } = deps.catalog()
  const address = readEmail(email)
  checkEmailRules(settings, address)
  if (!canMail(settings)) throw new ApiError('mail_not_configured')
  const code = randomInt(1_000_000).toString().padStart(6, '0')
  const purpose = actor ? 'bind' : 'register'
  await issueCode(deps, { purpose, address, userId: actor?.id ?? 0 }, code, clientIp)

  const reader = { to: address, language, settings }
  const taken = await registrations.isEmailUsed(deps.db, address)
  mails.add(taken ? addressTakenMail(reader) : verificationMail(reader, code, CODE_MINUTES))
}
