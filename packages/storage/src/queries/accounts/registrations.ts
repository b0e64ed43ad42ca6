import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { hasCode, UNIQUE_VIOLATION } from '../../connection/error-codes.ts'

/** Whether a username is or was in use. Deregistered users keep theirs. */
export async function isNameUsed(db: Db, username: string): Promise<boolean> {
  const found = await db
    .selectFrom('user')
    .select('id')
    .where(sql`lower(username)`, '=', username.toLowerCase())
    .executeTakeFirst()
  return found !== undefined
}

/** Names and prefixes that users may neither use nor imitate. */
export interface ReservedNames {
  names: readonly string[]
  prefixes: readonly string[]
}

/** Whether a name looks like a reserved name. */
export async function looksLikeAny(db: Db, username: string, { names, prefixes }: ReservedNames): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from unnest(${[...names]}::text[]) name where username_skeleton(name) = skeleton)
      or exists (
        select from unnest(${[...prefixes]}::text[]) prefix where starts_with(skeleton, username_skeleton(prefix))
      ) as found
    from username_skeleton(${username}) skeleton`.execute(db)
  return rows[0]?.found === true
}

/** Whether a name looks like that of another user. Deregistered users keep theirs. */
export async function hasLookAlike(db: Db, username: string, ownId = 0): Promise<boolean> {
  const found = await db
    .selectFrom('user')
    .select('id')
    .where(sql`username_skeleton(username)`, '=', sql`username_skeleton(${username})`)
    .where('id', '<>', ownId)
    .executeTakeFirst()
  return found !== undefined
}

/** Serializes registrations of names that look alike until the transaction ends. */
export async function lockLookAlikes(transaction: Db, username: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('username ' || username_skeleton(${username})))`.execute(transaction)
}

/** Whether an address is or was in use. */
export async function isEmailUsed(db: Db, email: string): Promise<boolean> {
  const found = await db
    .selectFrom('user')
    .select('id')
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('email', '<>', '')
    .executeTakeFirst()
  return found !== undefined
}

export interface NewAccount {
  username: string
  /** Defaults to the username. */
  displayName?: string
  /** Null for users who sign in without a password. */
  passwordHash: string | null
  /** Blank when none was verified. */
  email: string
  inviteCode: string
  inviterId: number | null
}

/**
 * Creates an ordinary user; undefined when the name, the address or the invite code is taken. Waits for concurrent
 * transactions.
 */
export async function insert(db: Db, account: NewAccount): Promise<number | undefined> {
  const row = await db
    .insertInto('user')
    .values({
      username: account.username,
      display_name: account.displayName ?? account.username,
      password_hash: account.passwordHash,
      email: account.email,
      aff_code: account.inviteCode,
      inviter_id: account.inviterId,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** The highest user ID; 0 when there are no users. */
export async function highestId(db: Db): Promise<number> {
  const { id } = await db
    .selectFrom('user')
    .select((eb) => eb.fn.max<number | null>('id').as('id'))
    .executeTakeFirstOrThrow()
  return id ?? 0
}

/** The active user with this invite code. */
export async function findInviter(db: Db, inviteCode: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('user')
    .select('id')
    .where('aff_code', '=', inviteCode)
    .where('status', '=', 1)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}

/** The active user with an address; there is at most one. */
export function findByEmail(db: Db, email: string): Promise<{ id: number; username: string } | undefined> {
  return db
    .selectFrom('user')
    .select(['id', 'username'])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('email', '<>', '')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Sets the address of a user; false when another active user has it. */
export async function setEmail(db: Db, userId: number, email: string): Promise<boolean> {
  try {
    const { numUpdatedRows } = await db
      .updateTable('user')
      .set({ email })
      .where('id', '=', userId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  } catch (error) {
    if (hasCode(error, UNIQUE_VIOLATION)) return false
    throw error
  }
}
