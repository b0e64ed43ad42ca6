import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'

/** Not forgotten since they left; whoever was brought back and left again has things to forget once more. */
const notAnonymised = sql<boolean>`(anonymised_at is null or anonymised_at < deleted_at)`

/** Users who left before a time and whose address and bindings are still known. */
export async function findToAnonymise(db: Db, leftBefore: Date, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('user')
    .select('id')
    .where('deleted_at', '<', leftBefore)
    .where(notAnonymised)
    .orderBy('deleted_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Forgets who a user was: the person may come back with the same address and accounts, under another name. The name
 * stays taken, and the books stay as they are. False when somebody else did it, or the user is back.
 */
export async function anonymise(
  transaction: Db,
  id: number,
  { leftBefore, now }: { leftBefore: Date; now: Date },
): Promise<boolean> {
  const before = await transaction
    .selectFrom('user')
    .select('email')
    .where('id', '=', id)
    .where('deleted_at', '<', leftBefore)
    .where(notAnonymised)
    .forUpdate()
    .executeTakeFirst()
  if (!before) return false
  await transaction
    .updateTable('user')
    .set({
      email: '',
      display_name: sql`'#' || id`,
      password_hash: null,
      setting: '{}',
      anonymised_at: now,
    })
    .where('id', '=', id)
    .execute()
  for (const table of ['identity', 'passkey', 'totp', 'recovery_code', 'auth_flow', 'delivery'] as const) {
    await transaction.deleteFrom(table).where('user_id', '=', id).execute()
  }
  const address = before.email.toLowerCase()
  await transaction
    .deleteFrom('mail_code')
    .where((eb) => eb.or([eb('user_id', '=', id), eb.and([eb('address', '=', address), eb('address', '<>', '')])]))
    .execute()
  return true
}
