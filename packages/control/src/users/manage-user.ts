import { api, ApiError, isAdmin, isRoot, ROLES, type SettingsArea } from '@tidegate/contract'
import { inTransaction } from '@tidegate/ledger'
import { auditEvents, type Db, exportDestinations, publish, tokens, type UserRow, users } from '@tidegate/storage'
import { requireReauth } from '../auth/reauthenticate.ts'
import { factorsResetByAdmin, sendSecurityMessage } from '../auth/security-events.ts'
import { revokeAccess } from '../auth/sessions/sessions.ts'
import { removeSecondFactors } from '../auth/two-factor/factors.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { writeManageLog } from './user-log.ts'
import { outranks, rejectTaken } from './user-rules.ts'

interface UserState {
  role: number
  status: number
}

/** Changes role or status of a user. Bans and role changes revoke all access with the commit. */
export async function manageUser(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: Actor,
  { id, action }: { id: number; action: string },
  origin: Origin,
): Promise<UserState> {
  if (!isAction(action)) throw new ApiError('invalid_params')
  const at = now()
  return rejectTaken(() =>
    inTransaction(db, at, async (transaction) => {
      const user = await users.lock(transaction, id)
      if (!user) throw new ApiError('user_not_found')
      if (!outranks(actor, user)) throw new ApiError('rank_update')
      checkDeleted(user, action)
      checkAction(actor, user, action)
      if (NEEDS_REAUTH.has(action)) await requireReauth({ db: transaction, now }, actor, 'orToken')
      return applyAction(transaction, user, { action, actor, origin, at })
    }),
  )
}

/** Deletes a user of lower rank; never the super admin. */
export async function deleteUser(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: Actor,
  id: number,
  origin: Origin,
): Promise<void> {
  const at = now()
  await inTransaction(db, at, async (transaction) => {
    const user = await users.lock(transaction, id)
    if (!user) throw new ApiError('user_not_found')
    if (actor.role <= user.role) throw new ApiError('rank_delete')
    checkDeleted(user, 'delete')
    await applyAction(transaction, user, { action: 'delete', actor, origin, at })
  })
}

/** Actions that give privileges or remove protection. */
const NEEDS_REAUTH: ReadonlySet<api.ManageAction> = new Set(['promote', 'reset_security'])

function isAction(action: string): action is api.ManageAction {
  return (api.MANAGE_ACTIONS as readonly string[]).includes(action)
}

function checkDeleted({ deleted_at }: UserRow, action: api.ManageAction): void {
  if (deleted_at && action !== 'restore') throw new ApiError('target_deregistered')
  if (!deleted_at && action === 'restore') throw new ApiError('target_not_deregistered')
}

function checkAction(actor: Actor, user: UserRow, action: api.ManageAction): void {
  if (action === 'promote') {
    if (!isRoot(actor.role)) throw new ApiError('only_root_promotes')
    if (isAdmin(user.role)) throw new ApiError('already_admin')
  }
  // No role is above the super admin, so these would apply to the own account, which has stricter rules.
  const fromAbove = ['demote', 'disable', 'delete', 'reset_security'].includes(action)
  if (fromAbove && isRoot(user.role)) throw new ApiError('root_protected')
  if (action === 'demote' && user.role === ROLES.user) throw new ApiError('already_common')
}

interface ActionContext {
  action: api.ManageAction
  actor: Actor
  origin: Origin
  at: Date
}

const LOG_TEXTS: Readonly<Record<api.ManageAction, string>> = {
  promote: 'Account made an administrator',
  demote: 'Account made an ordinary user',
  disable: 'Account banned by an administrator',
  enable: 'Account unbanned by an administrator',
  delete: 'Account deregistered by an administrator',
  restore: 'Account restored by an administrator',
  reset_security: 'Two-factor authentication and passkeys removed by an administrator',
}

async function applyAction(
  transaction: Db,
  user: UserRow,
  { action, actor, origin, at }: ActionContext,
): Promise<UserState> {
  const before = { role: user.role, status: user.status }
  const after = { ...before, ...CHANGES[action] }
  if (action === 'delete') await deregister(transaction, user.id, at)
  else if (action === 'reset_security') await resetSecurity(transaction, user.id)
  else if (action === 'restore') await users.change(transaction, user.id, { deleted_at: null })
  else if (after.role === before.role && after.status === before.status) return after
  else await users.change(transaction, user.id, { ...after, ...(after.role !== before.role && { settings_areas: [] }) })
  if (ENDS_ACCESS.has(action)) await revokeAccess(transaction, user.id)

  const event = { action: `user.${action}`, subject: String(user.id), details: { before, after } }
  await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
  await writeManageLog(transaction, {
    userId: user.id,
    username: user.username,
    at,
    event: `user_${action}`,
    content: LOG_TEXTS[action],
    facts: { actor_id: actor.id },
  })
  await publish(transaction, { kind: 'caller', userId: user.id })
  return after
}

const CHANGES: Readonly<Record<api.ManageAction, Partial<UserState>>> = {
  promote: { role: ROLES.admin },
  demote: { role: ROLES.user },
  disable: { status: api.USER_STATUS.banned },
  enable: { status: api.USER_STATUS.active },
  delete: {},
  restore: {},
  reset_security: {},
}

const ENDS_ACCESS: ReadonlySet<api.ManageAction> = new Set(['promote', 'demote', 'disable', 'reset_security'])

/** For users who lost a device. All sessions are revoked. */
async function resetSecurity(transaction: Db, userId: number): Promise<void> {
  await removeSecondFactors(transaction, userId)
  await sendSecurityMessage(transaction, userId, factorsResetByAdmin())
}

/**
 * Marks an account as deleted and revokes all its credentials. Row, logs and ledger entries stay, so the name remains
 * reserved. All nodes forget its tokens with the commit.
 */
export async function deregister(transaction: Db, userId: number, at: Date): Promise<void> {
  await users.change(transaction, userId, { deleted_at: at })
  await revokeAccess(transaction, userId)
  await removeSecondFactors(transaction, userId)
  await tokens.removeAllOf(transaction, userId, at)
  await exportDestinations.removeAllOf(transaction, userId)
  await publish(transaction, { kind: 'caller', userId })
}

/** Delegates settings areas to an administrator. Every request reads them, so changes apply at once. */
export async function setSettingsAreas(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  { id, areas }: { id: number; areas: readonly SettingsArea[] },
  origin: Origin,
): Promise<void> {
  const after = [...new Set(areas)].toSorted()
  await db.transaction().execute(async (transaction) => {
    const user = await users.lock(transaction, id)
    if (!user) throw new ApiError('user_not_found')
    if (user.deleted_at) throw new ApiError('target_deregistered')
    if (user.role !== ROLES.admin) throw new ApiError('areas_need_admin')
    await users.change(transaction, id, { settings_areas: after })
    const details = { before: user.settings_areas, after }
    const event = { action: 'user.settings_areas', subject: String(id), details }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
  })
}
