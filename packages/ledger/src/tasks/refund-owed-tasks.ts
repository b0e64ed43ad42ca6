import { taskPolls, type Db, type TaskRow } from '@tidegate/storage'
import { inTransaction } from '../in-transaction.ts'
import { lockAccounts } from '../entries/lock-accounts.ts'
import { refundTask } from '../entries/refund-task.ts'

/** Gives back what was taken for a failed task, once. Call it with the account and the task locked. */
export async function payBack(db: Db, task: TaskRow, now: Date): Promise<boolean> {
  if (task.status !== 'FAILURE' || task.charged === 0 || task.refunded_at !== null) return false
  const { id, kind, user_id: userId, token_id: tokenId, charged: quota, vendor_id: vendorId } = task
  await refundTask(db, { userId, tokenId, quota, reference: `${kind}:${id}`, name: vendorId, now })
  await db.updateTable('task').set({ refunded_at: now }).where('id', '=', id).execute()
  return true
}

/**
 * Pays back tasks that failed before the books had taken their price, or whose process died in between. Answers how many
 * there were.
 */
export async function payOwedTasks(
  db: Db,
  { limit, now = new Date() }: { limit: number; now?: Date },
): Promise<number> {
  let paid = 0
  for (const { id, user_id: userId } of await taskPolls.findOwed(db, { limit })) {
    const done = await inTransaction(db, now, async (transaction) => {
      await lockAccounts(transaction, userId)
      const task = await transaction.selectFrom('task').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
      return task !== undefined && payBack(transaction, task, now)
    })
    if (done) paid += 1
  }
  return paid
}
