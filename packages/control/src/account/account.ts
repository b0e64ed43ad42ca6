import { type api, ApiError, isRoot, type Language } from '@tidegate/contract'
import { inTransaction } from '@tidegate/ledger'
import { auditEvents, type Db, publish, registrations, type UserRow, users } from '@tidegate/storage'
import { checkPassword, checkUsername, rejectLookAlike } from '../auth/password/account-rules.ts'
import { hashPassword } from '../auth/password/passwords.ts'
import { requirePasswordOrReauth, withFailureRecording, ensureSessionActive } from '../auth/reauthenticate.ts'
import { passwordChanged, reportSecurityEvent } from '../auth/security-events.ts'
import { revokeAccess } from '../auth/sessions/sessions.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { deregister } from '../users/manage-user.ts'
import { writeOwnLog } from '../users/user-log.ts'
import { rejectTaken } from '../users/user-rules.ts'

const RENAME_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Updates the fields the user filled in. Returns the user when the password changed; all sessions and console tokens
 * are then revoked.
 */
export async function updateAccount(
  deps: Pick<Deps, 'db' | 'limiter' | 'now' | 'catalog' | 'authFailures'>,
  actor: Actor,
  edit: api.SelfEdit,
  origin: Origin,
  language: Language,
): Promise<UserRow | undefined> {
  const { db, now } = deps
  const at = now()
  if (edit.password !== '') {
    await withFailureRecording(deps, actor, origin, () => requirePasswordOrReauth(deps, actor, edit.original_password))
    const username = edit.username || actor.username
    await checkPassword(edit.password, { username, siteName: deps.catalog().settings.SystemName })
  }
  const passwordHash = edit.password === '' ? undefined : await hashPassword(edit.password)

  return rejectTaken(() =>
    inTransaction(db, at, async (transaction) => {
      const user = await users.lock(transaction, actor.id)
      if (!user || user.deleted_at) throw new ApiError('user_not_found')
      const act = { origin, at }
      const isRenamed = edit.username !== '' && edit.username !== user.username
      if (isRenamed) await changeUsername(transaction, user, checkUsername(edit.username), act)
      if (edit.display_name !== '') await users.change(transaction, user.id, { display_name: edit.display_name })
      if (passwordHash === undefined) return undefined
      await ensureSessionActive(transaction, actor)
      await setPassword(deps, transaction, user, { passwordHash, origin, language })
      return { ...user, password_hash: passwordHash }
    }),
  )
}

interface ChangeContext {
  origin: Origin
  at: Date
}

/** The audit trail records the last rename. The row lock stops two concurrent renames from both passing the check. */
async function changeUsername(
  transaction: Db,
  user: UserRow,
  username: string,
  { origin, at }: ChangeContext,
): Promise<void> {
  await registrations.lockLookAlikes(transaction, username)
  if (username.toLowerCase() !== user.username.toLowerCase()) await rejectLookAlike(transaction, username, user.id)
  const since = new Date(at.getTime() - RENAME_DAYS * DAY_MS)
  if (await auditEvents.existsSince(transaction, user.id, 'user.rename', since)) {
    throw new ApiError('username_changed_recently', { days: RENAME_DAYS })
  }
  await users.change(transaction, user.id, { username })
  const details = { before: user.username, after: username }
  const event = { action: 'user.rename', subject: String(user.id), details }
  await auditEvents.record(transaction, { actorId: user.id, ...event, ...origin })
  await writeOwnLog(transaction, { ...user, username }, at, {
    event: 'user_renamed',
    content: `Username changed from ${user.username} to ${username}`,
    facts: details,
  })
  await publish(transaction, { kind: 'caller', userId: user.id })
}

async function setPassword(
  deps: Pick<Deps, 'catalog'>,
  transaction: Db,
  user: UserRow,
  { passwordHash, origin, language }: { passwordHash: string; origin: Origin; language: Language },
): Promise<void> {
  await users.setPasswordHash(transaction, user.id, passwordHash)
  await revokeAccess(transaction, user.id)
  const event = { action: 'user.password', subject: String(user.id) }
  await auditEvents.record(transaction, { actorId: user.id, ...event, ...origin })
  await reportSecurityEvent(deps, transaction, user, passwordChanged(origin), language)
}

/** Deregisters the caller's account. `username` is compared only when the caller sends it. */
export async function deleteAccount(
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
