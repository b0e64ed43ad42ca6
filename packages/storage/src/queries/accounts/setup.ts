import type { Db } from '../../connection/connect.ts'

export async function isDone(db: Db): Promise<boolean> {
  return (await db.selectFrom('setup').select('id').executeTakeFirst()) !== undefined
}

/** Inserts the only setup row; false when another request did. Waits for concurrent transactions. */
export async function claim(db: Db, version: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('setup')
    .values({ version })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
