import { sql } from 'kysely'
import { publish, type Db } from '@tidegate/storage'
import { isRecorded, creditAccount, lockAccounts } from './credit-account.ts'
import { inTransaction } from '../in-transaction.ts'

export interface TaskRefund {
  userId: number
  /** 0 if no token was used. */
  tokenId: number
  /** The charge of the task. */
  quota: number
  /** Names the task, such as `drawing:12`; it is refunded once. */
  reference: string
  /** The task id that the owner knows. */
  name?: string
  now?: Date
}

/** Refunds a failed task: balance, token and usage counters. False if it was refunded before. */
export async function refundTask(db: Db, refund: TaskRefund): Promise<boolean> {
  const { userId, quota: amount, reference, name = reference, now = new Date() } = refund
  if (reference === '') throw new Error('a refund needs a reference')
  if (amount <= 0) return false
  return inTransaction(db, now, async (transaction) => {
    const { account } = await lockAccounts(transaction, userId)
    if (await isRecorded(transaction, userId, 'refund', reference)) return false
    await creditAccount(
      transaction,
      account,
      now,
      { kind: 'refund', amount, reference, details: { token_id: refund.tokenId } },
      {
        type: 'system',
        event: 'task_refund',
        content: `Refund of task ${name || reference}: ${amount} points`,
        facts: { task: name || reference },
      },
    )
    await transaction
      .updateTable('user')
      .set({ used_quota: sql`used_quota - ${amount}` })
      .where('id', '=', userId)
      .execute()
    await refundToken(transaction, refund)
    return true
  })
}

/** The token's own counters are reverted, so it needs no entry. */
async function refundToken(db: Db, { userId, tokenId, quota }: TaskRefund): Promise<void> {
  if (tokenId === 0) return
  const token = await db
    .updateTable('token')
    .set({
      used_quota: sql`used_quota - ${quota}`,
      remain_quota: sql`case when unlimited_quota then remain_quota else remain_quota + ${quota} end`,
      drawn_quota: sql`case when unlimited_quota then drawn_quota else drawn_quota - ${quota} end`,
      status: sql`case when status = 4 and remain_quota + ${quota} > 0 then 1 else status end`,
    })
    .where('id', '=', tokenId)
    .where('user_id', '=', userId)
    .returning('hash')
    .executeTakeFirst()
  if (token) await publish(db, { kind: 'caller', tokenHash: token.hash }) // it may have been exhausted
}
