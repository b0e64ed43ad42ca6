import { sql } from 'kysely'
import { ApiError } from '@tidegate/contract'
import type { Db } from '@tidegate/storage'

/** A user whose account nobody else can move before this transaction ends. */
export interface LockedAccount {
  id: number
  username: string
  deleted: boolean
}

/**
 * Locks a user and, where asked, the one who invited them: the lower id first, as settlement does, so that no two
 * transactions wait for each other. The lock leaves foreign keys free: new tokens and sessions do not wait for it.
 */
export async function lockAccounts(
  db: Db,
  userId: number,
  { withInviter = false } = {},
): Promise<{ account: LockedAccount; inviter: LockedAccount | undefined }> {
  const inviterId = withInviter ? sql`(select inviter_id from "user" where id = ${userId})` : sql`null`
  const { rows } = await sql<LockedAccount>`
    select id, username, deleted_at is not null as deleted
    from "user" where id = any(array[${userId}::bigint, ${inviterId}::bigint])
    order by id for no key update
  `.execute(db)
  const account = rows.find(({ id }) => id === userId)
  if (!account) throw new ApiError('user_not_found')
  return { account, inviter: rows.find(({ id }) => id !== userId) }
}

/** The same for what only a user who still has an account can do. */
export async function lockLiveAccount(db: Db, userId: number, options?: { withInviter?: boolean }) {
  const locked = await lockAccounts(db, userId, options)
  if (locked.account.deleted) throw new ApiError('user_not_found')
  return locked
}
