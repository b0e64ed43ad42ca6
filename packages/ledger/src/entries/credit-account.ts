import { api, ApiError, MAX_QUOTA } from '@tidegate/contract'
import { type Db, jsonText, users } from '@tidegate/storage'
import { sql } from 'kysely'
import { type EntryKind, type LedgerEntry, recordEntry } from './record-entry.ts'

/** A user whose account is locked until the end of this transaction. */
export interface LockedAccount {
  id: number
  username: string
  deleted: boolean
}

/**
 * Locks a user and optionally the inviter, the lower id first as in settlement, to avoid deadlocks. The lock does not
 * block foreign keys, so new tokens and sessions do not wait for it.
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

/** Like `lockAccounts`, but rejects deleted users. */
export async function lockActiveAccount(db: Db, userId: number, options?: { withInviter?: boolean }) {
  const locked = await lockAccounts(db, userId, options)
  if (locked.account.deleted) throw new ApiError('user_not_found')
  return locked
}

type CreditEntry = Pick<LedgerEntry, 'kind' | 'amount' | 'reference' | 'actorId' | 'details'>

/** Credits a locked account: ledger entry, balance and log row. Call it in a transaction. */
export async function creditAccount(
  db: Db,
  account: LockedAccount,
  at: Date,
  credit: CreditEntry,
  note: EntryLog,
): Promise<void> {
  const before = await users.spendable(db, account.id)
  const after = before + credit.amount
  // A balance beyond the safe integers could not be read back, and the owner could not sign in.
  if (after > MAX_QUOTA) throw new ApiError('balance_limit', { limit: MAX_QUOTA })
  await recordEntry(db, { userId: account.id, ...credit })
  await writeLog(db, account, at, { ...note, facts: { amount: credit.amount, before, after, ...note.facts } })
}

/**
 * Whether the reference was recorded before. While the account is locked, the result stays valid until the end of the
 * transaction; a unique index guarantees it.
 */
export async function isRecorded(db: Db, userId: number, kind: EntryKind, reference: string): Promise<boolean> {
  if (reference === '') return false
  const entry = await db
    .selectFrom('ledger_entry')
    .select('id')
    .where('user_id', '=', userId)
    .where('token_id', '=', 0)
    .where('kind', '=', kind)
    .where('reference', '=', reference)
    .executeTakeFirst()
  return entry !== undefined
}

/** The log row of an entry: a plain sentence, and the same as fields that the console can translate. */
interface EntryLog {
  type: keyof typeof api.LOG_TYPE
  event: string
  content: string
  facts?: Record<string, unknown>
}

export async function writeLog(
  db: Db,
  account: LockedAccount,
  at: Date,
  { type, event, content, facts }: EntryLog,
): Promise<void> {
  await db
    .insertInto('usage_log')
    .values({
      created_at: at,
      type: api.LOG_TYPE[type],
      user_id: account.id,
      username: account.username,
      content,
      other: jsonText({ event, ...facts }),
    })
    .execute()
}

/** The administrator and the origin of a change, for the entry and the audit log. */
export interface AdminAction {
  actorId: number
  origin: { readonly clientIp: string; readonly requestId: string; readonly tokenName?: string }
}
