import { ApiError, type api } from '@tidegate/contract'
import { auditEvents, pushSubscriptions, sessions } from '@tidegate/storage'
import { revokeAccess, sessionEnd, sessionLimits } from './sessions.ts'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'

/** A prefix of the stored hash that is enough to tell a user's sessions apart. */
const HANDLE_LENGTH = 16

export async function listOwnSessions(
  { db, now, catalog }: Pick<Deps, 'db' | 'now' | 'catalog'>,
  actor: Actor,
): Promise<api.OwnSession[]> {
  const { settings } = catalog()
  const rows = await sessions.listOf(db, actor.id, sessionLimits(settings, now()))
  return rows.map((row) => ({
    id: row.id_hash.slice(0, HANDLE_LENGTH),
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    expires_at: sessionEnd(settings, row).toISOString(),
    client_ip: row.client_ip,
    user_agent: row.user_agent,
    current: row.id_hash === actor.sessionHash,
  }))
}

/** Returns whether it was the caller's own session. */
export async function endOwnSession(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  handle: string,
  origin: Origin,
): Promise<boolean> {
  // A shorter handle could match several sessions.
  if (handle.length !== HANDLE_LENGTH) throw new ApiError('session_not_found')
  return db.transaction().execute(async (transaction) => {
    const removed = await sessions.removeByHandle(transaction, actor.id, handle)
    if (removed === undefined) throw new ApiError('session_not_found')
    await pushSubscriptions.removeOfSession(transaction, removed)
    const event = { action: 'user.session_end', subject: String(actor.id), details: { session: handle } }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
    return removed === actor.sessionHash
  })
}

/** Also revokes tokens that a stolen session could have created. */
export async function endAllOwnSessions({ db }: Pick<Deps, 'db'>, actor: Actor, origin: Origin): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await revokeAccess(transaction, actor.id)
    const event = { action: 'user.sessions_end', subject: String(actor.id) }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
  })
}
