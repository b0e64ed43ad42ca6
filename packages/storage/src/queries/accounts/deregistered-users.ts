import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'

/** A user who was restored and deregistered again is anonymised again. */
const notAnonymised = sql<boolean>`(anonymised_at is null or anonymised_at < deleted_at)`

/** Users who deregistered before a time and are not anonymised yet. */
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
 * Removes personal data, so that the person can register again with the same address and external accounts. The
 * username stays reserved and all amounts stay. False when another process was first, or the user was restored.
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
  for (const table of [
    'identity',
    'passkey',
    'totp',
    'recovery_code',
    'auth_flow',
    'delivery',
    'push_subscription',
    'export_destination',
  ] as const) {
    await transaction.deleteFrom(table).where('user_id', '=', id).execute()
  }
  const address = before.email.toLowerCase()
  await transaction
    .deleteFrom('mail_code')
    .where((eb) => eb.or([eb('user_id', '=', id), eb.and([eb('address', '=', address), eb('address', '<>', '')])]))
    .execute()
  return true
}
