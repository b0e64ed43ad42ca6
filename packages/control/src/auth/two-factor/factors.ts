import type { api } from '@tidegate/contract'
import { passkeys, recoveryCodes, totp, type Db, type UserRow } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { passkeySite } from '../passkeys/passkey-site.ts'

/** What a user with two-factor authentication can end a login with right now. */
export async function secondFactorsOf(
  { db, catalog }: Pick<Deps, 'db' | 'catalog'>,
  userId: number,
): Promise<api.SecondFactorNeeded['methods']> {
  const hasCodes = (await recoveryCodes.countLeft(db, userId)) > 0
  const hasPasskey = passkeySite(catalog().settings) !== undefined && (await passkeys.countOf(db, userId)) > 0
  return ['totp', ...(hasCodes ? (['recovery_code'] as const) : []), ...(hasPasskey ? (['passkey'] as const) : [])]
}

/**
 * What an account re-authenticates with. The password alone does not count where there is something stronger: it is stolen
 * together with the cookie, and would turn the second factor off.
 */
export async function reauthMethodsOf(
  { db, catalog }: Pick<Deps, 'db' | 'catalog'>,
  { id, password_hash }: Pick<UserRow, 'id' | 'password_hash'>,
): Promise<api.Security['reauth_methods']> {
  const hasTotp = await totp.isOn(db, id)
  const hasPasskey = passkeySite(catalog().settings) !== undefined && (await passkeys.countOf(db, id)) > 0
  if (hasTotp || hasPasskey)
    return [...(hasTotp ? (['code'] as const) : []), ...(hasPasskey ? (['passkey'] as const) : [])]
  return password_hash === null ? [] : ['password']
}

/** Takes everything of the kind away from a user whose row the caller has locked. Answers what there was. */
export async function forgetSecondFactors(
  transaction: Db,
  userId: number,
): Promise<{ totp: boolean; passkeys: number }> {
  const hadTotp = await totp.remove(transaction, userId)
  await recoveryCodes.removeAllOf(transaction, userId)
  const hadPasskeys = await passkeys.removeAllOf(transaction, userId)
  return { totp: hadTotp, passkeys: hadPasskeys }
}
