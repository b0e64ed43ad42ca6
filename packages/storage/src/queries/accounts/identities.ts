import type { Db } from '../../connection/connect.ts'
import type { UserRow } from './users.ts'
import * as users from './users.ts'

/** An account at an external provider. */
export interface IdentityKey {
  provider: string
  /** Distinguishes configured providers, such as OpenID issuers; blank for others. */
  issuer: string
  subject: string
}

/** The user that an external account is linked to, including banned and deregistered users. */
export async function findUser(db: Db, key: IdentityKey): Promise<UserRow | undefined> {
  return (await findLink(db, key))?.user
}

/** Same as `findUser`, with the time of the link. */
export async function findLink(
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

/** External accounts of a user, oldest first. */
export function listOf(db: Db, userId: number) {
  return db
    .selectFrom('identity')
    .select(['provider', 'label', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}

/** Links an external account; false when it is linked already. Waits for concurrent transactions. */
export async function insert(db: Db, userId: number, key: IdentityKey, label: string): Promise<boolean> {
  const row = await db
    .insertInto('identity')
    .values({ user_id: userId, provider: key.provider, issuer: key.issuer, subject: key.subject, label })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Changes issuer and subject of a linked account. */
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

/** Unlinks a user's account at a provider; undefined when there is none. */
export function remove(db: Db, userId: number, provider: string): Promise<{ label: string } | undefined> {
  return db
    .deleteFrom('identity')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .returning('label')
    .executeTakeFirst()
}
