import type { Db } from '../../connection/connect.ts'
import type { MailCodeTable } from '../../schema/index.ts'

/** What a code is for: it works for nothing else. */
export interface MailCodeKey {
  purpose: MailCodeTable['purpose']
  /** Trimmed and in lower case. */
  address: string
  /** The user a code to bind with belongs to; 0 for the other purposes. */
  userId: number
}

/** Puts a code in the place of the last one; false while that one is younger than `youngest`. */
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

/** Counts a try before it is judged, so that tries side by side cannot outrun the count. Gives the hash to compare with. */
export async function spendTry(db: Db, key: MailCodeKey, now: Date, most: number): Promise<string | undefined> {
  const row = await db
    .updateTable('mail_code')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('purpose', '=', key.purpose)
    .where('address', '=', key.address)
    .where('user_id', '=', key.userId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where('tries', '<', most)
    .returning('code_hash')
    .executeTakeFirst()
  return row?.code_hash
}

/** Uses a code up; false when somebody else did, or a newer one took its place. Call it with what the code is used for. */
export async function use(db: Db, key: MailCodeKey, hash: string, now: Date): Promise<boolean> {
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
