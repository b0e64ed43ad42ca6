import { ApiError, type Settings } from '@tidegate/contract'
import { z } from 'zod'

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
