import { randomBytes } from 'node:crypto'
import { ApiError, type Settings } from '@tidegate/contract'
import type { Db } from '@tidegate/storage'
import { inTransaction } from '../in-transaction.ts'
import { creditAccount, lockActiveAccount } from './credit-account.ts'

export interface CheckIn {
  userId: number
  now: Date
  settings: Pick<Settings, 'CheckInEnabled' | 'CheckInQuota' | 'CheckInMaxQuota'>
  /** Chooses the reward; both limits are included. */
  random?: (min: number, max: number) => number
}

/** Credits the daily reward, once per user and UTC day. */
export async function checkIn(db: Db, { userId, now, settings, random = randomBetween }: CheckIn): Promise<number> {
  const { CheckInEnabled, CheckInQuota, CheckInMaxQuota } = settings
  if (!CheckInEnabled) throw new ApiError('checkin_off')
  if (!Number.isSafeInteger(CheckInQuota) || CheckInQuota <= 0) throw new ApiError('checkin_misconfigured')
  const reward = CheckInMaxQuota > CheckInQuota ? random(CheckInQuota, CheckInMaxQuota) : CheckInQuota
  const day = now.toISOString().slice(0, 10)

  return inTransaction(db, now, async (transaction) => {
    if (!(await claimDay(transaction, userId, day, reward))) throw new ApiError('checkin_done')
    const { account } = await lockActiveAccount(transaction, userId)
    await transaction.updateTable('user').set({ last_check_in_at: now }).where('id', '=', userId).execute()
    await creditAccount(
      transaction,
      account,
      now,
      { kind: 'check_in', amount: reward, reference: `check_in:${day}` },
      { type: 'checkIn', event: 'check_in', content: `Daily check-in: ${reward} points` },
    )
    return reward
  })
}

/** Waits for a concurrent transaction; false if that one claimed the day. */
async function claimDay(db: Db, userId: number, day: string, reward: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('check_in')
    .values({ user_id: userId, day, reward })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

const BITS = 64n

/** An unpredictable, uniformly distributed integer from `least` to `most`. */
export function randomBetween(min: number, max: number): number {
  const count = BigInt(max) - BigInt(min) + 1n
  if (count <= 0n) throw new RangeError(`nothing lies between ${min} and ${max}`)
  // Values past the last whole multiple would favor low numbers. Node's randomInt is limited to 48 bits; quota is not.
  const usable = 2n ** BITS - (2n ** BITS % count)
  for (;;) {
    const drawn = randomBytes(8).readBigUInt64BE()
    if (drawn < usable) return Number(BigInt(min) + (drawn % count))
  }
}
