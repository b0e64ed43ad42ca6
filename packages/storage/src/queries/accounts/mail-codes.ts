import type { Db } from '../../connection/connect.ts'
import type { MailCodeTable } from '../../schema/index.ts'

/** Identifies a code; it is valid only for this purpose, address and user. */
export interface MailCodeKey {
  purpose: MailCodeTable['purpose']
  /** Trimmed and in lower case. */
  address: string
  /** The user who binds the address; 0 for other purposes. */
  userId: number
}

/** Replaces the previous code; false while that one is newer than `youngest`. */
export async function replace(
  db: Db,
  key: MailCodeKey,
  code: { hash: string; now: Date; expiresAt: Date; youngest: Date },
): Promise<boolean> {
  const fresh = { code_hash: code.hash, created_at: code.now, expires_at: code.expiresAt, used_at: null, tries: 0 }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('mail_code')
    .values({ purpose: key.purpose, address: key.address, user_id: key.userId, ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(['purpose', 'address', 'user_id'])
        .doUpdateSet(fresh)
        .where('mail_code.created_at', '<=', code.youngest),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function issuedAt(db: Db, key: MailCodeKey): Promise<Date | undefined> {
  const row = await db
    .selectFrom('mail_code')
    .select('created_at')
    .where('purpose', '=', key.purpose)
    .where('address', '=', key.address)
    .where('user_id', '=', key.userId)
    .executeTakeFirst()
  return row?.created_at
}

/**
 * Counts an attempt before it is checked, so that concurrent attempts cannot exceed the limit. Returns the hash to
 * compare.
 */
export async function countAttempt(db: Db, key: MailCodeKey, now: Date, max: number): Promise<string | undefined> {
  const row = await db
    .updateTable('mail_code')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('purpose', '=', key.purpose)
    .where('address', '=', key.address)
    .where('user_id', '=', key.userId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where('tries', '<', max)
    .returning('code_hash')
    .executeTakeFirst()
  return row?.code_hash
}

/** Marks a code as used; false when it was used or replaced. Call it in the transaction of what the code allows. */
export async function consume(db: Db, key: MailCodeKey, hash: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mail_code')
    .set({ used_at: now })
    .where('purpose', '=', key.purpose)
    .where('address', '=', key.address)
    .where('user_id', '=', key.userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function removeExpired(db: Db, now: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('mail_code').where('expires_at', '<=', now).executeTakeFirst()
  return Number(numDeletedRows)
}
