import { ApiError } from '@tidegate/contract'
import { auditEvents, type Db } from '@tidegate/storage'
import { type AdminAction, creditAccount, lockAccounts } from './credit-account.ts'
import { inTransaction } from '../in-transaction.ts'
import { payRebate, type RebateSettings } from './pay-rebate.ts'

export interface Payment {
  tradeNo: string
  settings: RebateSettings
  now?: Date
  /** Set if an administrator completes the order instead of the payment provider. */
  by?: AdminAction
}

export interface TopUpResult {
  userId: number
  quota: number
  /** False if the order was completed before. */
  credited: boolean
}

/** Credits a paid order. The caller has verified the payment and its amount. */
export async function completeTopUp(db: Db, payment: Payment): Promise<TopUpResult> {
  const { tradeNo, settings, now = new Date(), by } = payment
  return inTransaction(db, now, async (transaction) => {
    const order = await claimOrder(transaction, tradeNo, now)
    if (!order) return findCompleted(transaction, tradeNo)

    const { user_id: userId, quota: amount, money, payment_method } = order
    const reference = `top_up:${tradeNo}`
    // A deleted user is credited as well, because the money was taken.
    const { account } = await lockAccounts(transaction, userId, { withInviter: true })
    await creditAccount(
      transaction,
      account,
      now,
      { kind: 'top_up', amount, reference, actorId: by?.actorId, details: { money, payment_method } },
      { type: 'topUp', event: 'top_up', content: `Top-up: ${amount} points for ${money}`, facts: { money } },
    )
    await payRebate(transaction, { payerId: userId, source: 'top_up', amount, reference, now, settings })
    if (by) {
      await auditEvents.record(transaction, {
        actorId: by.actorId,
        action: 'top_up.complete',
        subject: tradeNo,
        details: { user_id: userId, quota: amount, money },
        clientIp: by.origin.clientIp,
        requestId: by.origin.requestId,
        tokenName: by.origin.tokenName,
      })
    }
    return { userId, quota: amount, credited: true }
  })
}

/** Of concurrent callbacks, one changes the order; the others wait and find it changed. */
function claimOrder(db: Db, tradeNo: string, now: Date) {
  return db
    .updateTable('top_up')
    .set({ status: 'success', completed_at: now })
    .where('trade_no', '=', tradeNo)
    .where('status', 'in', ['pending', 'expired', 'failed']) // a late payment is credited as well
    .returning(['user_id', 'quota', 'money', 'payment_method'])
    .executeTakeFirst()
}

async function findCompleted(db: Db, tradeNo: string): Promise<TopUpResult> {
  const order = await db
    .selectFrom('top_up')
    .select(['user_id', 'quota'])
    .where('trade_no', '=', tradeNo)
    .executeTakeFirst()
  if (!order) throw new ApiError('top_up_unknown', { tradeNo })
  return { userId: order.user_id, quota: order.quota, credited: false }
}
