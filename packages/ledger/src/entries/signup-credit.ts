import type { Settings } from '@tidegate/contract'
import type { Db } from '@tidegate/storage'
import { isRecorded, creditAccount, lockActiveAccount } from './credit-account.ts'
import { inTransaction } from '../in-transaction.ts'

export interface SignupCredit {
  userId: number
  settings: Pick<Settings, 'QuotaForNewUser'>
  now?: Date
  /** The administrator who created the account, if any. */
  actorId?: number
}

/** Credits a new user with the initial quota. Call it in the transaction that creates the user. */
export async function creditSignup(db: Db, credit: SignupCredit): Promise<number> {
  const { userId, settings, now = new Date(), actorId } = credit
  const amount = settings.QuotaForNewUser
  if (amount <= 0) return 0
  return inTransaction(db, now, async (transaction) => {
    const { account } = await lockActiveAccount(transaction, userId)
    if (await isRecorded(transaction, userId, 'signup_gift', REFERENCE)) return 0
    await creditAccount(
      transaction,
      account,
      now,
      { kind: 'signup_gift', amount, reference: REFERENCE, actorId },
      { type: 'system', event: 'signup_gift', content: `Gift for signing up: ${amount} points` },
    )
    return amount
  })
}

const REFERENCE = 'signup'
