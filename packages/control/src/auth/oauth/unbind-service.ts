import { ApiError, type api } from '@tidegate/contract'
import { inTransaction } from '@tidegate/ledger'
import { auditEvents, identities, users } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { hasOtherWayIn } from './sign-in-ways.ts'
import { writeOwnLog } from '../../users/own-log.ts'

/** Takes a binding away, unless nobody could sign in to the account any more. */
export async function unbindService(
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
    if (!(await hasOtherWayIn(transaction, catalog().settings, user, { service }))) throw new ApiError('last_sign_in')
    const facts = { service, label: removed.label }
    const event = { action: 'user.unbind', subject: String(user.id), details: facts }
    await auditEvents.record(transaction, { actorId: user.id, ...event, ...origin })
    const content = `Sign-in through ${service} unbound${removed.label && `: ${removed.label}`}`
    await writeOwnLog(transaction, user, at, { event: 'service_unbound', content, facts })
  })
}
