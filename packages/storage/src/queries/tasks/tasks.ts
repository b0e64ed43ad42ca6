import { sql, type Selectable } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import { jsonText, withoutNul } from '../../connection/values.ts'
import type { TaskTable } from '../../schema/index.ts'

export type TaskRow = Selectable<TaskTable>

export interface NewTask {
  kind: string
  userId: number
  tokenId: number
  requestId: string
  action: string
  model: string
  prompt: string
  properties: Readonly<Record<string, unknown>>
  secret: string
  /** The reserved price. */
  quota: number
  /** The task fails if no provider accepted it by then. */
  deadline: Date
}

/** Stores a task before it is submitted, so that it is known whatever happens. */
export async function insert(db: Db, task: NewTask): Promise<number> {
  const { id } = await db
    .insertInto('task')
    .values({
      kind: task.kind,
      user_id: task.userId,
      token_id: task.tokenId,
      request_id: task.requestId,
      action: task.action,
      model: task.model,
      prompt: withoutNul(task.prompt),
      properties: jsonText(task.properties),
      secret: task.secret,
      quota: task.quota,
      deadline_at: task.deadline,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export interface SubmittedTask {
  channelId: number
  keyHash: string
  upstreamId: string
  status: string
  code: number
  quota: number
  /** The time of the first poll. */
  pollAt: Date
  deadline: Date
}

/** Records that a provider accepted the task. False when the task has ended in the meantime. */
export async function markSubmitted(db: Db, id: number, submission: SubmittedTask): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('task')
    .set({
      channel_id: submission.channelId,
      key_hash: submission.keyHash,
      vendor_id: withoutNul(submission.upstreamId),
      // The provider may have sent a callback before it returned the submission.
      status: sql`case when status = '' then ${submission.status} else status end`,
      code: submission.code,
      quota: submission.quota,
      next_poll_at: submission.pollAt,
      deadline_at: submission.deadline,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Records that no provider accepted the task. */
export async function markRejected(
  db: Db,
  id: number,
  { reason, code, channelId }: { reason: string; code: number; channelId: number },
): Promise<void> {
  await db
    .updateTable('task')
    .set({
      status: 'FAILURE',
      progress: 100,
      code,
      channel_id: channelId,
      fail_reason: withoutNul(reason),
      quota: 0,
      finished_at: sql`now()`,
      updated_at: sql`now()`,
      next_poll_at: null,
    })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .execute()
}

export function find(db: Db, id: number): Promise<TaskRow | undefined> {
  return db.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirst()
}

/** A user's tasks by their provider IDs, newest first. */
export function findOwn(
  db: Db,
  { userId, kind, upstreamIds }: { userId: number; kind: string; upstreamIds: readonly string[] },
): Promise<TaskRow[]> {
  return db
    .selectFrom('task')
    .selectAll()
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('vendor_id', 'in', [NOT_SUBMITTED, ...upstreamIds.map(withoutNul)])
    .where('vendor_id', '<>', NOT_SUBMITTED)
    .orderBy('id', 'desc')
    .limit(MAX_FOUND)
    .execute()
}

/** Tasks of all users by provider ID. Two providers may use the same ID. */
export function findByUpstreamId(
  db: Db,
  { kind, upstreamId }: { kind: string; upstreamId: string },
): Promise<TaskRow[]> {
  return db
    .selectFrom('task')
    .selectAll()
    .where('vendor_id', '=', withoutNul(upstreamId))
    .where('vendor_id', '<>', NOT_SUBMITTED)
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(MAX_SAME_ID)
    .execute()
}

/** A user's submitted tasks of a kind, newest first. */
export function listOwn(
  db: Db,
  { userId, kind, after, limit }: { userId: number; kind: string; after?: number | undefined; limit: number },
): Promise<TaskRow[]> {
  let query = db
    .selectFrom('task')
    .selectAll()
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('vendor_id', '<>', '')
  if (after !== undefined) query = query.where('id', '<', after)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

/** The provider ID of tasks that were not submitted. */
const NOT_SUBMITTED = ''
const MAX_FOUND = 500
const MAX_SAME_ID = 20
