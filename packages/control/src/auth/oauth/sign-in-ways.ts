import { openSignIns, type Settings } from '@tidegate/contract'
import { passkeys, users, type Db, type UserRow } from '@tidegate/storage'
import { passkeySite } from '../passkeys/passkey-site.ts'

/**
 * Whether somebody could still sign in once a passkey or the binding to a service is taken away. The caller has locked the
 * user, so that two removals side by side cannot each count on what the other takes.
 */
export async function hasOtherWayIn(
  transaction: Db,
  settings: Settings,
  user: Pick<UserRow, 'id' | 'password_hash'>,
  without: { passkeyId: number } | { service: string },
): Promise<boolean> {
  if (settings.PasswordLoginEnabled && user.password_hash !== null) return true
  const bound = await users.identitiesOf(transaction, user.id)
  const takenService = 'service' in without ? without.service : undefined
  if (openSignIns(settings).some((service) => service !== takenService && bound.has(service))) return true
  if (passkeySite(settings) === undefined) return false
  const takenPasskey = 'passkeyId' in without ? without.passkeyId : undefined
  return (await passkeys.listOf(transaction, user.id)).some(({ id }) => id !== takenPasskey)
}
