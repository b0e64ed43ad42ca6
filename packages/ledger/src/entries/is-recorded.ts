import type { Db } from '@tidegate/storage'
import type { EntryKind } from './record-entry.ts'

/**
 * Whether what `reference` names was booked before. With the account locked the answer stays true until the end of the
 * transaction; the unique index of the entries stands behind it.
 */
export async function alreadyMoved(db: Db, userId: number, kind: EntryKind, reference: string): Promise<boolean> {
  if (reference === '') return false
  const entry = await db
    .selectFrom('ledger_entry')
    .select('id')
    .where('user_id', '=', userId)
    .where('token_id', '=', 0)
    .where('kind', '=', kind)
    .where('reference', '=', reference)
    .executeTakeFirst()
  return entry !== undefined
}
