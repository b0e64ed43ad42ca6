import type { Selectable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import type { TotpTable } from '../../schema/index.ts'

export type TotpRow = Pick<Selectable<TotpTable>, 'sealed_secret' | 'enabled_at' | 'created_at'>

export function find(db: Db, userId: number): Promise<TotpRow | undefined> {
  return db
    .selectFrom('totp')
    .select(['sealed_secret', 'enabled_at', 'created_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export async function isEnabled(db: Db, userId: number): Promise<boolean> {
  return (await find(db, userId))?.enabled_at instanceof Date
}

/** Stores a secret that is not enabled yet, and replaces an earlier one; false when TOTP is enabled. */
export async function insertPending(db: Db, userId: number, sealedSecret: string, now: Date): Promise<boolean> {
  const fresh = { sealed_secret: sealedSecret, last_step: 0, created_at: now }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('totp')
    .values({ user_id: userId, ...fresh })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(fresh).where('totp.enabled_at', 'is', null))
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * Enables the secret created at `begunAt`, with the time step of the entered code. False when it is enabled already or
 * was replaced.
 */
export async function enable(
  db: Db,
  userId: number,
  { begunAt, step, now }: { begunAt: Date; step: number; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('totp')
    .set({ enabled_at: now, last_step: step })
    .where('user_id', '=', userId)
    .where('created_at', '=', begunAt)
    .where('enabled_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Uses the code of a time step; false when this or a later step was used before. */
export async function consumeStep(db: Db, userId: number, begunAt: Date, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('totp')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('created_at', '=', begunAt)
    .where('enabled_at', 'is not', null)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Removes the secret and returns whether it was enabled. */
export async function remove(db: Db, userId: number): Promise<boolean> {
  const removed = await db.deleteFrom('totp').where('user_id', '=', userId).returning('enabled_at').executeTakeFirst()
  return removed?.enabled_at instanceof Date
}
