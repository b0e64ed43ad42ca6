import { randomInt } from 'node:crypto'
import { api, ApiError, type Language } from '@tidegate/contract'
import { type Check, type Db, type MailCodeKey, mailCodes, registrations } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { addressLimits, tooMany } from '../../http/rate-limits.ts'
import { addressTakenMail, verificationMail } from '../../messaging/mail/account-mails.ts'
import type { MailQueue } from '../../messaging/mail/mail-queue.ts'
import { canMail } from '../../messaging/mail/mail.ts'
import { checkEmailRules, readEmail } from './email.ts'

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

export const CODE_MINUTES = 10
/** Six digits are guessed in five tries once in 200 000; a token of a link never is, so its cap only stops hammering. */
const MOST_TRIES = { register: 5, bind: 5, reset: 20 }
const DAY_SECONDS = 86_400

/** Keeps a new code for an address in place of the last, unless the address or the caller has had too many. */
export async function issueCode(
  { db, vault, limiter, now }: Pick<Deps, 'db' | 'vault' | 'limiter' | 'now'>,
  key: MailCodeKey,
  code: string,
  clientIp: string,
): Promise<void> {
  const budgets: Check[] = [
    { key: `mail:${key.purpose}:address:${key.address}`, limit: 10, windowSeconds: DAY_SECONDS },
    ...addressLimits(`mail:${key.purpose}:client`, clientIp, { limit: 50, windowSeconds: DAY_SECONDS }),
  ]
  const verdict = await limiter.take(budgets)
  if (!verdict.allowed) throw tooMany(verdict.retryAfterSeconds)
  const at = now()
  const replaced = await mailCodes.replace(db, key, {
    hash: vault.keyedHash('mail-code', textOf(key, code)),
    now: at,
    expiresAt: new Date(at.getTime() + CODE_MINUTES * 60_000),
    youngest: new Date(at.getTime() - api.RESEND_SECONDS * 1000),
  })
  if (replaced) return
  await limiter.giveBack(budgets)
  const issuedAt = await mailCodes.issuedAt(db, key)
  const waitedMs = issuedAt ? at.getTime() - issuedAt.getTime() : 0
  throw tooMany(Math.max(1, api.RESEND_SECONDS - waitedMs / 1000))
}

/** A code that was right when it was checked. It is used up with what it is used for, in one transaction. */
export interface CheckedCode {
  /** False when somebody was faster. */
  use(transaction: Db): Promise<boolean>
}

/** Every check costs a try, a right one too. */
export async function checkCode(
  { db, vault, now }: Pick<Deps, 'db' | 'vault' | 'now'>,
  key: MailCodeKey,
  code: string,
): Promise<CheckedCode | undefined> {
  const stored = await mailCodes.spendTry(db, key, now(), MOST_TRIES[key.purpose])
  if (stored === undefined || !vault.matches('mail-code', textOf(key, code), stored)) return undefined
  return { use: (transaction) => mailCodes.use(transaction, key, stored, now()) }
}

/** The purpose is part of what is hashed, and the hash is keyed: a stolen table gives no code away. */
function textOf({ purpose, address, userId }: MailCodeKey, code: string): string {
  return JSON.stringify([purpose, address, userId, code])
}
