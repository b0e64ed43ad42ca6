import { ApiError } from '@tidegate/contract'
import { inTransaction } from '@tidegate/ledger'
import { auditEvents, sessions, users, type Db, type UserRow } from '@tidegate/storage'
import { refuseEndedSession } from './reauthenticate.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { writeOwnLog } from '../users/own-log.ts'

/** What the audit trail and the user's own log say of a change. */
export interface KeyChange {
  action: string
  event: string
  content: string
  details?: Record<string, unknown>
}

/**
 * Changes what somebody signs in with, one change of a user at a time. A session that was ended while the call waited
 * changes nothing any more: otherwise whoever was just thrown out could leave a key behind.
 */
export async function changeOwnKeys<Result>(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: Actor,
  origin: Origin,
  change: (transaction: Db, user: UserRow, at: Date) => Promise<{ note: KeyChange; result: Result }>,
): Promise<Result> {
  const at = now()
  return inTransaction(db, at, async (transaction) => {
    const user = await users.lock(transaction, actor.id)
    if (!user || user.deleted_at) throw new ApiError('user_not_found')
    await refuseEndedSession(transaction, actor)
    const { note, result } = await change(transaction, user, at)
    const { action, event, content, details = {} } = note
    const subject = String(user.id)
    await auditEvents.record(transaction, { actorId: user.id, action, subject, details, ...origin })
    await writeOwnLog(transaction, user, at, { event, content, facts: details })
    return result
  })
}

/** Setting up a factor uses it, so it counts as re-authentication with a factor. */
export async function noteFactor(transaction: Db, { sessionHash }: Actor, at: Date): Promise<void> {
  if (sessionHash !== undefined) await sessions.markProved(transaction, sessionHash, at, 'factor')
}
