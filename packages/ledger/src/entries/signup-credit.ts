import type { Settings } from '@tidegate/contract'
import type { Db } from '@tidegate/storage'
import { isRecorded, creditAccount, lockActiveAccount } from './credit-account.ts'
import { inTransaction } from '../in-transaction.ts'

export interface SignupGift {
  userId: number
  settings: Pick<Settings, 'QuotaForNewUser'>
  now?: Date
  /** The administrator who made the account, if one did. */
  actorId?: number
}

/** Gives a new user what the site starts everybody with. Call it in the transaction that makes the user. */
export async function giveSignupGift(db: Db, gift: SignupGift): Promise<number> {
  const { userId, settings, now = new Date(), actorId } = gift
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
