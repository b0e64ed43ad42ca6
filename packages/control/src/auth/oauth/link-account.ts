import { api, ApiError, enabledSignIns, type Settings } from '@tidegate/contract'
import { inTransaction } from '@tidegate/ledger'
import { auditEvents, type Db, identities, passkeys, type UserRow, users } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { writeOwnLog } from '../../users/user-log.ts'
import { passkeySite } from '../passkeys/verify-passkey.ts'
import { providerName, type Profile } from './provider.ts'

/**
 * Links a profile to an account and replaces another profile of the same provider. A profile linked to another user is
 * rejected.
 */
export async function linkAccount(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: Actor,
  profile: Profile,
  origin: Origin,
): Promise<void> {
  const { service, key, label } = profile
  const at = now()
  await inTransaction(db, at, async (transaction) => {
    const user = await users.lock(transaction, actor.id)
    if (!user || user.deleted_at) throw new ApiError('user_deregistered')
    if (user.status !== api.USER_STATUS.active) throw new ApiError('user_banned')
    // Looked up first: two users who swap profiles would otherwise deadlock.
    if (await isLinkedToOther(transaction, profile, user.id)) {
      throw new ApiError('oauth_already_bound', providerName(service))
    }
    const before = await identities.remove(transaction, user.id, service)
    if (!(await identities.insert(transaction, user.id, key, label))) {
      throw new ApiError('oauth_already_bound', providerName(service))
    }
    const facts = { service, label, ...(before && { before: before.label }) }
    const event = { action: 'user.bind', subject: String(user.id), details: facts }
    await auditEvents.record(transaction, { actorId: user.id, ...event, ...origin })
    const content = `Sign-in through ${service} bound${label && `: ${label}`}`
    await writeOwnLog(transaction, user, at, { event: 'service_bound', content, facts })
  })
}

/** Removes a linked profile, unless it is the last way to log in. */
export async function unlinkAccount(
  { db, catalog, now }: Pick<Deps, 'db' | 'catalog' | 'now'>,
  actor: Actor,
  service: api.SignInServiceName,
  origin: Origin,
): Promise<void> {
  const at = now()
  await inTransaction(db, at, async (transaction) => {
    const user = await users.lock(transaction, actor.id)
    const removed = user && (await identities.remove(transaction, user.id, service))
    if (!removed) throw new ApiError('identity_not_bound')
    if (!(await hasOtherLoginMethod(transaction, catalog().settings, user, { service })))
      throw new ApiError('last_sign_in')
    const facts = { service, label: removed.label }
    const event = { action: 'user.unbind', subject: String(user.id), details: facts }
    await auditEvents.record(transaction, { actorId: user.id, ...event, ...origin })
    const content = `Sign-in through ${service} unbound${removed.label && `: ${removed.label}`}`
    await writeOwnLog(transaction, user, at, { event: 'service_unbound', content, facts })
  })
}

/**
 * Finds the user linked to a profile, including banned and deleted ones. A legacy identity is migrated once the profile
 * is confirmed to belong to the same person.
 */
export async function findOwner(db: Db, { key, legacy }: Profile): Promise<UserRow | undefined> {
  const owner = await identities.findUser(db, key)
  if (owner || !legacy) return owner
  const bound = await identities.findLink(db, legacy.key)
  if (!bound) return undefined
  if (!(await legacy.isSamePerson(bound.user, bound.at))) throw new ApiError('github_name_unproven')
  await identities.rename(db, legacy.key, key)
  return bound.user
}

/** Whether a profile is linked to another user. The user's own legacy identity can be replaced. */
async function isLinkedToOther(db: Db, { key, legacy }: Profile, userId: number): Promise<boolean> {
  if (await identities.findUser(db, key)) return true
  const owner = legacy && (await identities.findUser(db, legacy.key))
  return owner !== undefined && owner.id !== userId
}

/**
 * Whether the user could still log in without this passkey or linked account. The caller has locked the user, so
 * concurrent removals see each other.
 */
export async function hasOtherLoginMethod(
  transaction: Db,
  settings: Settings,
  user: Pick<UserRow, 'id' | 'password_hash'>,
  without: { passkeyId: number } | { service: string },
): Promise<boolean> {
  if (settings.PasswordLoginEnabled && user.password_hash !== null) return true
  const bound = await users.identitiesOf(transaction, user.id)
  const takenService = 'service' in without ? without.service : undefined
  if (enabledSignIns(settings).some((service) => service !== takenService && bound.has(service))) return true
  if (passkeySite(settings) === undefined) return false
  const takenPasskey = 'passkeyId' in without ? without.passkeyId : undefined
  return (await passkeys.listOf(transaction, user.id)).some(({ id }) => id !== takenPasskey)
}
