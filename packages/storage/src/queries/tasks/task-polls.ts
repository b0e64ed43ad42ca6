import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'

/** A task that is due to be polled. */
export interface DueTask {
  id: number
  kind: string
  user_id: number
  channel_id: number
  key_hash: string
  vendor_id: string
}

/**
 * Claims due tasks and sets their next poll: soon for new tasks, later for older ones, with jitter. The claim lasts
 * until then.
 */
export async function claimDue(db: Db, { now, limit }: { now: Date; limit: number }): Promise<DueTask[]> {
  const { rows } = await sql<DueTask>`
    update task t set polls = t.polls + 1,
      next_poll_at = ${now}::timestamptz + make_interval(secs =>
        least(${MAX_POLL_SECONDS}, greatest(${MIN_POLL_SECONDS}, extract(epoch from ${now}::timestamptz - t.submitted_at) * 0.15))
        * (0.85 + 0.3 * random()))
    from (
      select id from task
      where finished_at is null and next_poll_at <= ${now} and vendor_id <> ''
      order by next_poll_at limit ${limit} for update skip locked
    ) due
    where t.id = due.id
    returning t.id, t.kind, t.user_id, t.channel_id, t.key_hash, t.vendor_id`.execute(db)
  return rows
}

const MIN_POLL_SECONDS = 3
const MAX_POLL_SECONDS = 60

/** Tasks that missed their deadline. */
export function findOverdue(db: Db, { now, limit }: { now: Date; limit: number }) {
  return db
    .selectFrom('task')
    .select(['id', 'user_id', 'vendor_id'])
    .where('finished_at', 'is', null)
    .where('deadline_at', '<=', now)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Failed tasks that were charged and not refunded. Some are charged after they failed. */
export function findUnrefunded(db: Db, { limit }: { limit: number }) {
  return db
    .selectFrom('task')
    .select(['id', 'user_id'])
    .where('status', '=', 'FAILURE')
    .where('charged', '>', 0)
    .where('refunded_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
}
