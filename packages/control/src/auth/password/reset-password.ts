import { randomBytes, randomInt } from 'node:crypto'
import { ApiError, type api, type Language } from '@tidegate/contract'
import { auditEvents, registrations, users, type MailCodeKey } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { Origin } from '../../http/actor.ts'
import { passwordWasReset, resetLinkMail } from '../../messaging/mail/account-mails.ts'
import type { DirectMails } from '../../messaging/mail/direct-mails.ts'
import { canMail } from '../../messaging/mail/mail.ts'
import { enqueueMail } from '../../messaging/outbox/enqueue.ts'
import { checkPassword } from './account-rules.ts'
import { checkCode, CODE_MINUTES, issueCode, readEmail } from '../registration/verification.ts'
import { revokeAccess } from '../sessions/sessions.ts'
import { clearLoginFailures } from '../login/login-throttle.ts'
import { hashPassword } from './passwords.ts'
import { serverAddress } from '../../settings/site-status.ts'

type ResetDeps = Pick<Deps, 'db' | 'vault' | 'limiter' | 'catalog' | 'now'> & { mails: DirectMails }

/** Mails a reset link. For an unknown address everything else is the same, so the response reveals nothing. */
export async function sendResetLink(
  { mails, ...deps }: ResetDeps,
  email: string,
  { clientIp }: Origin,
  language: Language,
): Promise<void> {
  const { settings } = deps.catalog()
  const address = readEmail(email)
  if (!canMail(settings)) throw new ApiError('mail_not_configured')
  const token = randomBytes(16).toString('hex')
  await issueCode(deps, resetKey(address), token, clientIp)

  const user = await registrations.findByEmail(deps.db, address)
  if (!user) return
  const link = resetLink(serverAddress(settings), address, token)
  mails.add(resetLinkMail({ to: address, language, settings }, link, CODE_MINUTES))
}

/**
 * Sets a new password with the token of a link, once, and revokes all access. Returns the password if it was generated.
 */
export async function resetPassword(
  deps: Omit<ResetDeps, 'mails'>,
  { email, token, password: chosen }: api.PasswordReset,
  origin: Origin,
  language: Language,
): Promise<string> {
  if (email.trim() === '' || token.trim() === '') throw new ApiError('invalid_params')
  const address = readEmail(email)
  const { SystemName: siteName } = deps.catalog().settings
  const password = chosen ? await checkPassword(chosen, { username: '', siteName }) : newPassword()
  const code = await checkCode(deps, resetKey(address), token.trim())
  if (!code) throw new ApiError('reset_link_invalid')
  // Checked after the token, because the result would reveal a username.
  const username = (await registrations.findByEmail(deps.db, address))?.username ?? ''
  if (chosen) await checkPassword(chosen, { username, siteName })
  const passwordHash = await hashPassword(password)

  const user = await deps.db.transaction().execute(async (transaction) => {
    if (!(await code.use(transaction))) throw new ApiError('reset_link_invalid')
    const found = await registrations.findByEmail(transaction, address)
    if (!found) throw new ApiError('reset_link_invalid')
    await users.setPasswordHash(transaction, found.id, passwordHash)
    await revokeAccess(transaction, found.id)
    const subject = String(found.id)
    await auditEvents.record(transaction, { actorId: found.id, action: 'user.reset_password', subject, ...origin })
    const notification = passwordWasReset(siteName, language)
    await enqueueMail(deps, transaction, { userId: found.id, to: address, language }, notification)
    return found
  })
  await clearLoginFailures(deps.limiter, [user.username, address])
  return chosen ? '' : password
}

function resetKey(address: string): MailCodeKey {
  return { purpose: 'reset', address, userId: 0 }
}

/** Uses the configured address: a forged Host header must not redirect the token. */
function resetLink(site: string, email: string, token: string): string {
  const link = new URL(`${site}/user/reset`)
  link.search = new URLSearchParams({ email, token }).toString()
  return link.href
}

/** Without characters that look alike. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'

function newPassword(): string {
  return Array.from({ length: 16 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
