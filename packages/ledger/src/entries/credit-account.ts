import { MAX_QUOTA, ApiError } from '@tidegate/contract'
import { users, type Db } from '@tidegate/storage'
import { recordMovement, type Movement } from './record-entry.ts'
import type { LockedAccount } from './lock-accounts.ts'
import { writeLog, type MovementNote } from './write-log.ts'

export type Credit = Pick<Movement, 'kind' | 'amount' | 'reference' | 'actorId' | 'details'>

/** Credits a locked account: the entry, the balance and the row its owner reads. Call it in a transaction. */
export async function creditAccount(
  db: Db,
  account: LockedAccount,
  at: Date,
  credit: Credit,
  note: MovementNote,
): Promise<void> {
  const before = await users.spendable(db, account.id)
  const after = before + credit.amount
  // Past the safe integers the row could not be read back, and its owner not even log in.
  if (after > MAX_QUOTA) throw new ApiError('balance_limit', { limit: MAX_QUOTA })
  await recordMovement(db, { userId: account.id, ...credit })
  await writeLog(db, account, at, { ...note, facts: { amount: credit.amount, before, after, ...note.facts } })
}
