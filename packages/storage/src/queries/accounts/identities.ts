import type { Db } from '../../connection/connect.ts'
import type { UserRow } from './users.ts'
import * as users from './users.ts'

/** An account elsewhere: who vouches for it, and its name there that never changes. */
export interface IdentityKey {
  provider: string
  /** Tells apart providers that are configured, such as OpenID issuers; blank for services there is one of. */
  issuer: string
  subject: string
}

/** The user an account elsewhere belongs to, a banned or deregistered one too. */
export async function findUser(db: Db, key: IdentityKey): Promise<UserRow | undefined> {
  return (await findBound(db, key))?.user
}

/** The same with the time of the binding. */
export async function findBound(
  db: Db,
  { provider, issuer, subject }: IdentityKey,
): Promise<{ user: UserRow; at: Date } | undefined> {
  const row = await db
    .selectFrom('identity')
    .select(['user_id', 'created_at'])
    .where('provider', '=', provider)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  const user = row && (await users.findById(db, row.user_id))
  return user && { user, at: row.created_at }
}

/** What a user is bound to, oldest first. */
export function listOf(db: Db, userId: number) {
  return db
    .selectFrom('identity')
    .select(['provider', 'label', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}

/** Binds an account elsewhere; false when it is bound already, however close the race. Waits for rivals to end. */
export async function insert(db: Db, userId: number, key: IdentityKey, label: string): Promise<boolean> {
  const row = await db
    .insertInto('identity')
    .values({ user_id: userId, provider: key.provider, issuer: key.issuer, subject: key.subject, label })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Keeps a binding under another name of the same account elsewhere. */
export async function rename(db: Db, from: IdentityKey, to: IdentityKey): Promise<void> {
  await db
    .updateTable('identity')
    .set({ issuer: to.issuer, subject: to.subject })
    .where('provider', '=', from.provider)
    .where('issuer', '=', from.issuer)
    .where('subject', '=', from.subject)
    .execute()
}

export async function setLabel(db: Db, { provider, issuer, subject }: IdentityKey, label: string): Promise<void> {
  await db
    .updateTable('identity')
    .set({ label })
    .where('provider', '=', provider)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('label', '<>', label)
    .execute()
}

/** Removes what a user is bound to at a provider; undefined when there is nothing. */
export function remove(db: Db, userId: number, provider: string): Promise<{ label: string } | undefined> {
  return db
    .deleteFrom('identity')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .returning('label')
    .executeTakeFirst()
}
