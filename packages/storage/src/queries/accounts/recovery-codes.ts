import type { Db } from '../../connection/connect.ts'

/** Replaces all codes of a user. */
export async function replaceAll(transaction: Db, userId: number, hashes: readonly string[]): Promise<void> {
  await removeAllOf(transaction, userId)
  await transaction
    .insertInto('recovery_code')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute()
}

/** Returns the hash that belongs to an unused code. */
export async function findUnused(db: Db, userId: number, hashes: readonly string[]): Promise<string | undefined> {
  const found = await db
    .selectFrom('recovery_code')
    .select('code_hash')
    .where('user_id', '=', userId)
    .where('code_hash', 'in', hashes)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return found?.code_hash
}

/** Marks a code as used; false when it does not exist or was used before. */
export async function consume(db: Db, userId: number, hash: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_code')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function countLeft(db: Db, userId: number): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_code')
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return left
}

export async function removeAllOf(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
}
