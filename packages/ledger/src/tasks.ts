import { isDeepStrictEqual } from 'node:util'
import { api } from '@tidegate/contract'
import { type Db, jsonText, taskPolls, type TaskRow } from '@tidegate/storage'
import { sql } from 'kysely'
import { lockAccounts } from './entries/credit-account.ts'
import { refundTask } from './entries/refund-task.ts'
import { inTransaction } from './in-transaction.ts'

/** An update of a task, from its provider or a timeout. Missing fields stay unchanged. */
export interface TaskUpdate {
  status: api.TaskStatus
  /** Percent. */
  progress?: number
  failReason?: string
  resultUrl?: string
  startedAt?: Date
  finishedAt?: Date
  data?: unknown
}

export type TaskChange = 'none' | 'moved' | 'succeeded' | 'failed'

/**
 * Updates a task. It moves forward only, and not after it finished, in any order of updates. A failed task is refunded
 * in the same transaction.
 */
export async function reportTask(
  db: Db,
  { id, userId }: { id: number; userId: number },
  update: TaskUpdate,
  now = new Date(),
): Promise<TaskChange> {
  return inTransaction(db, now, async (transaction) => {
    // Accounts are locked before tasks, as in settlement.
    if (update.status === 'FAILURE') await lockAccounts(transaction, userId)
    const task = await lockTask(transaction, id)
    if (!task || task.finished_at !== null || !isForward(task.status, update.status)) return 'none'
    const changes = changesOf(task, update, now)
    if (!changes) return 'none'
    const moved = await transaction.updateTable('task').set(changes).where('id', '=', id).returningAll().execute()
    if (update.status === 'FAILURE') await refundCharge(transaction, moved[0]!, now)
    return update.status === 'SUCCESS' ? 'succeeded' : update.status === 'FAILURE' ? 'failed' : 'moved'
  })
}

function isForward(from: string, to: api.TaskStatus): boolean {
  const order: readonly string[] = api.TASK_STATUSES
  return order.indexOf(to) >= order.indexOf(from)
}

function lockTask(db: Db, id: number): Promise<TaskRow | undefined> {
  return db.selectFrom('task').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

function changesOf(task: TaskRow, update: TaskUpdate, now: Date) {
  const isFinished = update.status === 'SUCCESS' || update.status === 'FAILURE'
  const progress = isFinished
    ? 100
    : Math.max(task.progress, Math.min(99, Math.max(0, Math.trunc(update.progress ?? 0))))
  const data = update.data === undefined ? undefined : jsonText(update.data)
  const changes = {
    status: update.status,
    progress,
    fail_reason: withoutNul(update.failReason) ?? task.fail_reason,
    result_url: withoutNul(update.resultUrl) || task.result_url,
    started_at: task.started_at ?? update.startedAt ?? null,
    ...(data !== undefined && { data }),
  }
  const hasChanged =
    isFinished ||
    changes.status !== task.status ||
    changes.progress !== task.progress ||
    changes.fail_reason !== task.fail_reason ||
    changes.result_url !== task.result_url ||
    (data !== undefined && !isDeepStrictEqual(JSON.parse(data), task.data))
  if (!hasChanged) return undefined
  return {
    ...changes,
    updated_at: sql<Date>`now()`,
    ...(isFinished && { finished_at: update.finishedAt ?? now, next_poll_at: null }),
  }
}

function withoutNul(text: string | undefined): string | undefined {
  return text?.replaceAll('\0', '')
}

/** Refunds the charge of a failed task once. Call it with the account and the task locked. */
async function refundCharge(db: Db, task: TaskRow, now: Date): Promise<boolean> {
  if (task.status !== 'FAILURE' || task.charged === 0 || task.refunded_at !== null) return false
  const { id, kind, user_id: userId, token_id: tokenId, charged: quota, vendor_id: upstreamId } = task
  await refundTask(db, { userId, tokenId, quota, reference: `${kind}:${id}`, name: upstreamId, now })
  await db.updateTable('task').set({ refunded_at: now }).where('id', '=', id).execute()
  return true
}

/**
 * Refunds failed tasks that were not refunded yet: their charge was settled later, or their process crashed. Returns
 * the number of refunds.
 */
export async function refundOwedTasks(
  db: Db,
  { limit, now = new Date() }: { limit: number; now?: Date },
): Promise<number> {
  let paid = 0
  for (const { id, user_id: userId } of await taskPolls.findUnrefunded(db, { limit })) {
    const done = await inTransaction(db, now, async (transaction) => {
      await lockAccounts(transaction, userId)
      const task = await transaction.selectFrom('task').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
      return task !== undefined && refundCharge(transaction, task, now)
    })
    if (done) paid += 1
  }
  return paid
}
