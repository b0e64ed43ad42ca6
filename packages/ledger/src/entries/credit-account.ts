import { api, ApiError, MAX_QUOTA } from '@tidegate/contract'
import { type Db, jsonText, users } from '@tidegate/storage'
import { sql } from 'kysely'
import { type EntryKind, type Movement, recordMovement } from './record-entry.ts'

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
export async function lockActiveAccount(db: Db, userId: number, options?: { withInviter?: boolean }) {
  const locked = await lockAccounts(db, userId, options)
  if (locked.account.deleted) throw new ApiError('user_not_found')
  return locked
}

type CreditEntry = Pick<Movement, 'kind' | 'amount' | 'reference' | 'actorId' | 'details'>

/** Credits a locked account: the entry, the balance and the row its owner reads. Call it in a transaction. */
export async function creditAccount(
  db: Db,
  account: LockedAccount,
  at: Date,
  credit: CreditEntry,
  note: EntryLog,
): Promise<void> {
  const before = await users.spendable(db, account.id)
  const after = before + credit.amount
  // Past the safe integers the row could not be read back, and its owner not even log in.
  if (after > MAX_QUOTA) throw new ApiError('balance_limit', { limit: MAX_QUOTA })
  await recordMovement(db, { userId: account.id, ...credit })
  await writeLog(db, account, at, { ...note, facts: { amount: credit.amount, before, after, ...note.facts } })
}

/**
 * Whether what `reference` names was booked before. With the account locked the answer stays true until the end of the
 * transaction; the unique index of the entries stands behind it.
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

/** What the user reads of a movement: a plain sentence, and the same as fields that a console can put in any language. */
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

/** Who changes somebody else's credit, and from where: for the entry and the audit trail. */
export interface AdminAct {
  actorId: number
  origin: { readonly clientIp: string; readonly requestId: string; readonly tokenName?: string }
}
