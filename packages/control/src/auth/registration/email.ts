import { ApiError, type Language, type Settings } from '@tidegate/contract'
import { auditEvents, registrations, users } from '@tidegate/storage'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import type { MailQueue } from '../../messaging/mail/mail-queue.ts'
import { emailChanged, mailOwner, tellOwner } from '../security-events.ts'
import { checkCode } from './verification.ts'

/**
 * Makes an address the account's own, with a code that was mailed to it for this user and this purpose. The owner of the
 * address before is told: it may be somebody else who changed it.
 */
export async function bindEmail(
  deps: Pick<Deps, 'db' | 'vault' | 'now' | 'catalog'> & { mails: MailQueue },
  actor: Actor,
  input: { email: string; code: string },
  origin: Origin,
  language: Language,
): Promise<void> {
  if (input.email.trim() === '' || input.code.trim() === '') throw new ApiError('invalid_params')
  const address = readEmail(input.email)
  const code = await checkCode(deps, { purpose: 'bind', address, userId: actor.id }, input.code.trim())
  if (!code) throw new ApiError('code_invalid')

  const news = emailChanged(origin)
  const before = await deps.db.transaction().execute(async (transaction) => {
    const user = await users.lock(transaction, actor.id)
    if (!(await code.use(transaction))) throw new ApiError('code_invalid')
    // Deregistered users keep theirs; between live ones the index decides.
    if (await registrations.isEmailUsed(transaction, address)) throw new ApiError('email_taken')
    if (!(await registrations.setEmail(transaction, actor.id, address))) throw new ApiError('email_taken')
    const subject = String(actor.id)
    await auditEvents.record(transaction, { actorId: actor.id, action: 'user.bind_email', subject, ...origin })
    if (user?.email) await tellOwner(transaction, actor.id, news)
    return user?.email ?? ''
  })
  mailOwner(deps, before, news, language)
}

const MAX_LENGTH = 50

/** One plain address, trimmed and in lower case. Signs that could make two of it in a mail header are in none. */
export function readEmail(given: string): string {
  const address = given.trim().toLowerCase()
  if (address.length > MAX_LENGTH || !z.email().safeParse(address).success) throw new ApiError('email_invalid')
  return address
}

type DomainRules = Pick<
  Settings,
  'EmailDomainRestrictionEnabled' | 'EmailDomainWhitelist' | 'EmailAliasRestrictionEnabled'
>

/** Rules of the site for addresses that accounts are made with. */
export function checkEmailRules(settings: DomainRules, address: string): void {
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)]
  if (settings.EmailDomainRestrictionEnabled && !settings.EmailDomainWhitelist.includes(domain)) {
    throw new ApiError('email_domain_not_allowed')
  }
  if (settings.EmailAliasRestrictionEnabled && /[+.]/.test(local)) throw new ApiError('email_alias_not_allowed')
}
