import { sql } from 'kysely'
import { MAX_QUOTA, ApiError, type Settings } from '@tidegate/contract'
import type { Db } from '@tidegate/storage'
import { alreadyMoved } from './is-recorded.ts'
import { creditAccount } from './credit-account.ts'
import { inTransaction } from '../in-transaction.ts'
import { lockLiveAccount } from './lock-accounts.ts'

export interface EarningsTransfer {
  userId: number
  quota: number
  settings: Pick<Settings, 'QuotaPerUnit'>
  now?: Date
  /** Names the request, so that one sent twice transfers once. */
  requestId?: string
}

/** Moves invite earnings to the balance, in amounts of one unit or more. */
export async function transferInviteEarnings(db: Db, transfer: EarningsTransfer): Promise<void> {
  const { userId, quota, settings, now = new Date(), requestId = '' } = transfer
  const min = Math.ceil(settings.QuotaPerUnit)
  if (!Number.isSafeInteger(quota) || quota <= 0) throw new ApiError('quota_invalid', { min, max: MAX_QUOTA })
  if (quota < min) throw new ApiError('aff_min', { min })
  const reference = requestId && `request:${requestId}`

  await inTransaction(db, now, async (transaction) => {
    const { account } = await lockLiveAccount(transaction, userId)
    if (await alreadyMoved(transaction, userId, 'invite_transfer', reference)) return
    if (!(await takeEarnings(transaction, userId, quota))) throw new ApiError('aff_not_enough')
    await creditAccount(
      transaction,
      account,
      now,
      { kind: 'invite_transfer', amount: quota, reference },
      { type: 'system', event: 'invite_transfer', content: `Invite earnings moved to the balance: ${quota} points` },
    )
  })
}

async function takeEarnings(db: Db, userId: number, quota: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('user')
    .set({ aff_quota: sql`aff_quota - ${quota}` })
    .where('id', '=', userId)
    .where('aff_quota', '>=', quota)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
