import { api, ApiError } from '@tidegate/contract'
import { inTransaction } from '@tidegate/ledger'
import { auditEvents, identities, users } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { writeOwnLog } from '../../users/own-log.ts'
import { belongsToAnother } from './find-owner.ts'
import type { Profile } from './profile.ts'
import { nameOf } from './services.ts'

/** Binds a profile to an account, in place of another of the same service. One that is anybody's already stays theirs. */
export async function bindService(
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
    // Looked up first: two people who exchange bindings would otherwise wait for each other.
    if (await belongsToAnother(transaction, profile, user.id)) {
      throw new ApiError('oauth_already_bound', nameOf(service))
    }
    const before = await identities.remove(transaction, user.id, service)
    if (!(await identities.insert(transaction, user.id, key, label))) {
      throw new ApiError('oauth_already_bound', nameOf(service))
    }
    const facts = { service, label, ...(before && { before: before.label }) }
    const event = { action: 'user.bind', subject: String(user.id), details: facts }
    await auditEvents.record(transaction, { actorId: user.id, ...event, ...origin })
    const content = `Sign-in through ${service} bound${label && `: ${label}`}`
    await writeOwnLog(transaction, user, at, { event: 'service_bound', content, facts })
  })
}
