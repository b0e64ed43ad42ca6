import { isRoot, ApiError, type api } from '@tidegate/contract'
import { changeBalance, inTransaction } from '@tidegate/ledger'
import { auditEvents, publish, users, type Db, type UserChange, type UserRow } from '@tidegate/storage'
import { checkPassword } from '../auth/password/account-rules.ts'
import { revokeAccess } from '../auth/sessions/sessions.ts'
import { hashPassword } from '../auth/password/passwords.ts'
import { requirePasswordOrReauth, withFailureRecording, requireReauth } from '../auth/reauthenticate.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { writeManageLog } from './user-log.ts'
import { outranks, rejectTaken } from './user-rules.ts'

type UpdateDeps = Pick<Deps, 'db' | 'catalog' | 'limiter' | 'now' | 'authFailures'>

/**
 * Updates single columns, so that concurrent settlements are not overwritten. A new balance is applied as the
 * difference to the shown one. A new password revokes all access.
 */
export async function updateUser(deps: UpdateDeps, actor: Actor, edit: api.UserEdit, origin: Origin): Promise<void> {
  const { db, now } = deps
  const at = now()
  if (edit.password !== '') {
    await checkMaySetPassword(deps, actor, edit, origin)
    await checkPassword(edit.password, { username: edit.username, siteName: deps.catalog().settings.SystemName })
  }
  const passwordHash = edit.password === '' ? undefined : await hashPassword(edit.password)

  await rejectTaken(() =>
    inTransaction(db, at, async (transaction) => {
      const user = await users.lock(transaction, edit.id)
      if (!user) throw new ApiError('user_not_found')
      if (!outranks(actor, user)) throw new ApiError('rank_update')
      if (!isRoot(actor.role) && (edit.role ?? 0) >= actor.role) throw new ApiError('rank_raise')
      if (user.deleted_at) throw new ApiError('target_deregistered')

      const change = fieldsToChange(deps, user, edit)
      await users.change(transaction, user.id, { ...change, ...(passwordHash && { password_hash: passwordHash }) })
      if (passwordHash) await revokeAccess(transaction, user.id)
      await recordEdit(transaction, user, { change, password: passwordHash !== undefined, actor, origin, at })
      await changeQuota(deps, transaction, user, { edit, actor, origin, at })
    }),
  )
}

/** The own password needs the usual check; setting another user's password would allow logging in as them. */
async function checkMaySetPassword(deps: UpdateDeps, actor: Actor, edit: api.UserEdit, origin: Origin): Promise<void> {
  if (edit.id !== actor.id) return requireReauth(deps, actor, 'orToken')
  await withFailureRecording(deps, actor, origin, () =>
    requirePasswordOrReauth(deps, actor, edit.original_password ?? ''),
  )
}

/** The changed columns. A deleted group may stay, but cannot be assigned. */
function fieldsToChange({ catalog }: Pick<Deps, 'catalog'>, user: UserRow, edit: api.UserEdit) {
  const next = {
    username: edit.username,
    display_name: edit.display_name === undefined ? user.display_name : edit.display_name || edit.username,
    group: edit.group === undefined || edit.group === '' ? user.group : edit.group,
  }
  if (next.group !== user.group && !Object.hasOwn(catalog().settings.GroupRatio, next.group)) {
    throw new ApiError('group_unknown', { group: next.group })
  }
  const changed = (Object.keys(next) as (keyof typeof next)[]).filter((field) => next[field] !== user[field])
  return Object.fromEntries(changed.map((field) => [field, next[field]])) as Partial<typeof next>
}

async function recordEdit(
  transaction: Db,
  user: UserRow,
  { change, password, actor, origin, at }: ChangeContext & { change: UserChange; password: boolean },
): Promise<void> {
  const fields = Object.keys(change) as (keyof UserRow & keyof UserChange)[]
  if (fields.length === 0 && !password) return
  const before = Object.fromEntries(fields.map((field) => [field, user[field]]))
  const details = { before, after: change, ...(password && { password: 'changed' }) }
  const event = { action: 'user.update', subject: String(user.id), details }
  await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
  await writeManageLog(transaction, {
    userId: user.id,
    username: user.username,
    at,
    event: 'user_updated',
    content: 'Account details changed by an administrator',
    facts: { actor_id: actor.id, fields: [...fields, ...(password ? ['password'] : [])] },
  })
  await publish(transaction, { kind: 'caller', userId: user.id })
}

interface ChangeContext {
  actor: Actor
  origin: Origin
  at: Date
}

/** The form sends the balance back; an unchanged one is ignored. */
async function changeQuota(
  deps: UpdateDeps,
  transaction: Db,
  user: UserRow,
  { edit: { quota, quota_seen: quotaSeen }, actor, origin, at }: ChangeContext & { edit: api.UserEdit },
): Promise<void> {
  const shown = quotaSeen ?? (await users.spendable(transaction, user.id))
  if (quota === undefined || quota === shown) return
  await requireReauth({ ...deps, db: transaction }, actor, { scope: 'users:write' })
  const allowNegative = isRoot(actor.role)
  const change = { userId: user.id, quota, quotaSeen, allowNegative, actorId: actor.id, origin, now: at }
  await changeBalance(transaction, change)
}
