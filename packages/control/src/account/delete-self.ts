import { isRoot, ApiError } from '@tidegate/contract'
import { inTransaction } from '@tidegate/ledger'
import { auditEvents, users } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { deregister } from '../users/deregister.ts'
import { writeOwnLog } from '../users/own-log.ts'

/** Deregisters the own account. The typed name is compared when the caller sends it. */
export async function deleteSelf(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: Actor,
  { username: typed }: { username?: string | undefined },
  origin: Origin,
): Promise<void> {
  if (isRoot(actor.role)) throw new ApiError('root_protected')
  if (typed !== undefined && typed.trim() !== actor.username) throw new ApiError('account_name_differs')
  const at = now()

  await inTransaction(db, at, async (transaction) => {
    const user = await users.lock(transaction, actor.id)
    if (!user || user.deleted_at) throw new ApiError('user_not_found')
    if (isRoot(user.role)) throw new ApiError('root_protected')
    await deregister(transaction, user.id, at)
    const event = { action: 'user.deregister', subject: String(user.id) }
    await auditEvents.record(transaction, { actorId: user.id, ...event, ...origin })
    const note = { event: 'user_deregistered', content: 'Account deregistered by its owner', facts: {} }
    await writeOwnLog(transaction, user, at, note)
  })
}
