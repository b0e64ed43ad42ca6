import { isAdmin, ApiError, type Endpoint, type OptionKey, type Settings } from '@tidegate/contract'
import { passkeys, totp, type Db, type UserRow } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Origin } from '../http/actor.ts'
import { addressList, isListed } from '../http/client-address.ts'

type PolicyDeps = Pick<Deps, 'db' | 'catalog' | 'authFailures'>
type PolicyUser = Pick<UserRow, 'id' | 'role'>
type RequestOrigin = Pick<Origin, 'clientIp' | 'requestId' | 'tokenName'>

interface PolicyRequest {
  /** Undefined for requests outside `/api`. */
  endpoint?: Pick<Endpoint, 'enrolment'>
  origin: RequestOrigin
  /** Tokens cannot set up a second factor. */
  hasSession: boolean
}

/**
 * Rejects administrator requests that the site's security policy forbids: from an address that is not allowed, or
 * without a required second factor. Ordinary users are not affected.
 */
export async function enforceAdminPolicy(deps: PolicyDeps, user: PolicyUser, call: PolicyRequest): Promise<void> {
  checkAdminAddress(deps, user, call.origin)
  if (call.hasSession && call.endpoint?.enrolment) return
  if (await lacksSecondFactor(deps, user)) throw new ApiError('admin_second_factor_required')
}

/** Also used for logins, which have no session yet. */
export function checkAdminAddress(
  { catalog, authFailures }: Pick<Deps, 'catalog' | 'authFailures'>,
  { id, role }: PolicyUser,
  origin: RequestOrigin,
): void {
  const allowed = catalog().settings['security.console_allowed_addresses']
  if (!isAdmin(role) || isAllowed(allowed, origin.clientIp)) return
  authFailures.record({ kind: 'ip_not_allowed', userId: id, isUser: true, origin })
  throw new ApiError('admin_address_not_allowed', { address: origin.clientIp })
}

/** Whether the site requires a second factor and this user has none. */
export async function lacksSecondFactor(
  { db, catalog }: Pick<Deps, 'db' | 'catalog'>,
  user: PolicyUser,
): Promise<boolean> {
  return requiresSecondFactor(catalog().settings, user) && !(await hasSecondFactor(db, user.id))
}

/** Call after removing a factor, in the same transaction: rejects removing the last one while the site requires it. */
export async function ensureSecondFactorRemains(
  transaction: Db,
  { catalog }: Pick<Deps, 'catalog'>,
  user: PolicyUser,
): Promise<void> {
  if (await lacksSecondFactor({ db: transaction, catalog }, user)) throw new ApiError('last_second_factor')
}

/** A policy must not lock out the super admin who sets it. */
export async function checkPolicyChange<Key extends OptionKey>(
  transaction: Db,
  { id, clientIp }: { id: number; clientIp: string },
  key: Key,
  value: Settings[Key],
): Promise<void> {
  if (key === 'security.require_two_factor_for_admins' && value === true) {
    if (!(await hasSecondFactor(transaction, id))) throw new ApiError('policy_needs_own_factor')
  }
  if (key === 'security.console_allowed_addresses' && !isAllowed(value as readonly string[], clientIp)) {
    throw new ApiError('policy_excludes_own_address', { address: clientIp })
  }
}

function requiresSecondFactor(settings: Settings, { role }: PolicyUser): boolean {
  return isAdmin(role) && settings['security.require_two_factor_for_admins']
}

async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  return (await totp.isEnabled(db, userId)) || (await passkeys.countOf(db, userId)) > 0
}

function isAllowed(allowed: readonly string[], address: string): boolean {
  return allowed.length === 0 || isListed(addressList(allowed), address)
}
