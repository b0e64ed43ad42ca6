import { ApiError, type api } from '@tidegate/contract'
import { creditSignup, inTransaction } from '@tidegate/ledger'
import { auditEvents, registrations, users, type Db } from '@tidegate/storage'
import { checkPassword } from '../auth/password/account-rules.ts'
import { newInviteCode } from '../auth/registration/register.ts'
import { hashPassword } from '../auth/password/passwords.ts'
import { userView } from './user-view.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { writeManageLog } from './user-log.ts'

/** Creates an ordinary user without an inviter, with the sign-up credit. */
export async function createUser(
  { db, catalog, now }: Pick<Deps, 'db' | 'catalog' | 'now'>,
  actor: Actor,
  input: api.NewUser,
  origin: Origin,
): Promise<api.User> {
  if (input.role !== undefined && input.role >= actor.role) throw new ApiError('rank_create')
  const { username } = input
  await checkPassword(input.password, { username, siteName: catalog().settings.SystemName })
  const passwordHash = await hashPassword(input.password)
  const displayName = input.display_name || username
  const at = now()

  return inTransaction(db, at, async (transaction) => {
    const userId = await insert(transaction, { username, password_hash: passwordHash, display_name: displayName })
    await creditSignup(transaction, { userId, settings: catalog().settings, now: at, actorId: actor.id })
    await writeManageLog(transaction, {
      userId,
      username,
      at,
      event: 'user_created',
      content: 'Account created by an administrator',
      facts: { actor_id: actor.id },
    })
    const details = { after: { username, display_name: displayName } }
    const change = { action: 'user.create', subject: String(userId), details }
    await auditEvents.record(transaction, { actorId: actor.id, ...change, ...origin })
    return userView((await users.findById(transaction, userId))!, new Map())
  })
}

/** Retries when the generated invite code is taken. */
async function insert(
  db: Db,
  user: { username: string; password_hash: string; display_name: string },
): Promise<number> {
  for (;;) {
    const id = await users.insertIfFree(db, { ...user, aff_code: newInviteCode() })
    if (id !== undefined) return id
    if (await registrations.isNameUsed(db, user.username)) throw new ApiError('username_taken')
  }
}
