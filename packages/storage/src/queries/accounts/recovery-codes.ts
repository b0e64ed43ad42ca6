import type { Db } from '../../connection/connect.ts'

/** Puts codes in the place of all earlier ones. */
export async function replaceAll(transaction: Db, userId: number, hashes: readonly string[]): Promise<void> {
  await removeAllOf(transaction, userId)
  await transaction
    .insertInto('recovery_code')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute()
}

/** The one of these hashes that an unused code has. */
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

/** Uses a code up; false when there is none like it, or somebody was faster. */
export async function use(db: Db, userId: number, hash: string, now: Date): Promise<boolean> {
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
