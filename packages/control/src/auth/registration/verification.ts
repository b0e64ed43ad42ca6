import { randomInt } from 'node:crypto'
import { api, ApiError, type Language, type Settings } from '@tidegate/contract'
import { auditEvents, type Budget, type Db, type MailCodeKey, mailCodes, registrations, users } from '@tidegate/storage'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { addressLimits, rateLimitError } from '../../http/rate-limits.ts'
import { addressTakenMail, verificationMail } from '../../messaging/mail/account-mails.ts'
import type { DirectMails } from '../../messaging/mail/direct-mails.ts'
import { canMail } from '../../messaging/mail/mail.ts'
import { emailChanged, reportSecurityEvent } from '../security-events.ts'

type VerificationDeps = Pick<Deps, 'db' | 'vault' | 'limiter' | 'catalog' | 'now'> & { mails: DirectMails }

/**
 * Mails a code to register, or to bind the address of a logged-in user. If the address is taken, only its owner learns
 * this by mail; the work is the same, so neither response nor timing reveals it.
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

export const CODE_MINUTES = 10
/** Six digits with five attempts succeed once in 200,000. Link tokens cannot be guessed; their cap only limits load. */
const MAX_ATTEMPTS = { register: 5, bind: 5, reset: 20 }
const DAY_SECONDS = 86_400

/** Stores a new code that replaces the last one, unless the address or the client has requested too many. */
export async function issueCode(
  { db, vault, limiter, now }: Pick<Deps, 'db' | 'vault' | 'limiter' | 'now'>,
  key: MailCodeKey,
  code: string,
  clientIp: string,
): Promise<void> {
  const limits: Budget[] = [
    { key: `mail:${key.purpose}:address:${key.address}`, limit: 10, windowSeconds: DAY_SECONDS },
    ...addressLimits(`mail:${key.purpose}:client`, clientIp, { limit: 50, windowSeconds: DAY_SECONDS }),
  ]
  const taken = await limiter.take(limits)
  if (!taken.allowed) throw rateLimitError(taken.retryAfterSeconds)
  const at = now()
  const replaced = await mailCodes.replace(db, key, {
    hash: vault.keyedHash('mail-code', hashInput(key, code)),
    now: at,
    expiresAt: new Date(at.getTime() + CODE_MINUTES * 60_000),
    youngest: new Date(at.getTime() - api.RESEND_SECONDS * 1000),
  })
  if (replaced) return
  await limiter.refund(limits)
  const issuedAt = await mailCodes.issuedAt(db, key)
  const waitedMs = issuedAt ? at.getTime() - issuedAt.getTime() : 0
  throw rateLimitError(Math.max(1, api.RESEND_SECONDS - waitedMs / 1000))
}

/** A verified code. It is consumed in the transaction of the operation. */
export interface VerifiedCode {
  /** False when the code was already used. */
  use(transaction: Db): Promise<boolean>
}

/** Every check costs an attempt, also a correct one. */
export async function checkCode(
  { db, vault, now }: Pick<Deps, 'db' | 'vault' | 'now'>,
  key: MailCodeKey,
  code: string,
): Promise<VerifiedCode | undefined> {
  const stored = await mailCodes.countAttempt(db, key, now(), MAX_ATTEMPTS[key.purpose])
  if (stored === undefined || !vault.matches('mail-code', hashInput(key, code), stored)) return undefined
  return { use: (transaction) => mailCodes.consume(transaction, key, stored, now()) }
}

/** The hash is keyed and includes the purpose, so a leaked table reveals no code. */
function hashInput({ purpose, address, userId }: MailCodeKey, code: string): string {
  return JSON.stringify([purpose, address, userId, code])
}

/**
 * Sets the account's address with a code mailed to it. The previous address is notified, in case another person changed
 * it.
 */
export async function bindEmail(
  deps: Pick<Deps, 'db' | 'vault' | 'now' | 'catalog'>,
  actor: Actor,
  input: { email: string; code: string },
  origin: Origin,
  language: Language,
): Promise<void> {
  if (input.email.trim() === '' || input.code.trim() === '') throw new ApiError('invalid_params')
  const address = readEmail(input.email)
  const code = await checkCode(deps, { purpose: 'bind', address, userId: actor.id }, input.code.trim())
  if (!code) throw new ApiError('code_invalid')

  await deps.db.transaction().execute(async (transaction) => {
    const user = await users.lock(transaction, actor.id)
    if (!(await code.use(transaction))) throw new ApiError('code_invalid')
    // Addresses of deregistered users stay reserved; the index covers active users.
    if (await registrations.isEmailUsed(transaction, address)) throw new ApiError('email_taken')
    if (!(await registrations.setEmail(transaction, actor.id, address))) throw new ApiError('email_taken')
    const subject = String(actor.id)
    await auditEvents.record(transaction, { actorId: actor.id, action: 'user.bind_email', subject, ...origin })
    if (user?.email) await reportSecurityEvent(deps, transaction, user, emailChanged(origin), language)
  })
}

const MAX_LENGTH = 50

/**
 * Validates one address, trimmed and in lower case. It contains no characters that could inject a second one into a
 * mail header.
 */
export function readEmail(value: string): string {
  const address = value.trim().toLowerCase()
  if (address.length > MAX_LENGTH || !z.email().safeParse(address).success) throw new ApiError('email_invalid')
  return address
}

type DomainRules = Pick<
  Settings,
  'EmailDomainRestrictionEnabled' | 'EmailDomainWhitelist' | 'EmailAliasRestrictionEnabled'
>

/** Checks the site's rules for addresses of new accounts. */
export function checkEmailRules(settings: DomainRules, address: string): void {
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)]
  if (settings.EmailDomainRestrictionEnabled && !settings.EmailDomainWhitelist.includes(domain)) {
    throw new ApiError('email_domain_not_allowed')
  }
  if (settings.EmailAliasRestrictionEnabled && /[+.]/.test(local)) throw new ApiError('email_alias_not_allowed')
}
