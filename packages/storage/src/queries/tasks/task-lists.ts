import { sql } from 'kysely'
import type { Db } from '../../connection/connect.ts'
import type { TaskRow } from './tasks.ts'
import type { CountedRows } from '../../log-store/log-store.ts'

export interface TaskFilters {
  kinds: readonly string[]
  userId?: number | undefined
  channelId?: number | undefined
  upstreamId?: string | undefined
  action?: string | undefined
  status?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

/** A task for lists. */
export type TaskListRow = Omit<TaskRow, 'polls' | 'next_poll_at' | 'deadline_at'> & {
  username: string | null
  channel_name: string | null
}

/** Newest first. */
export function page(
  db: Db,
  filters: TaskFilters,
  { limit, offset }: { limit: number; offset: number },
): Promise<TaskListRow[]> {
  return applyFilters(db, filters)
    .leftJoin('user', 'user.id', 'task.user_id')
    .leftJoin('channel', 'channel.id', 'task.channel_id')
    .selectAll('task')
    .select(['user.username', 'channel.name as channel_name'])
    .orderBy('task.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** The number of tasks; counting stops at `max`. */
export async function countUpTo(db: Db, filters: TaskFilters, max: number): Promise<CountedRows> {
  const { count } = await db
    .selectFrom(
      applyFilters(db, filters)
        .select('task.id')
        .limit(max + 1)
        .as('found'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { count: Math.min(count, max), more: count > max }
}

function applyFilters(db: Db, { kinds, userId, channelId, upstreamId, action, status, from, to }: TaskFilters) {
  return db
    .selectFrom('task')
    .where('task.kind', 'in', kinds)
    .$if(userId !== undefined, (query) => query.where('task.user_id', '=', userId!))
    .$if(channelId !== undefined, (query) => query.where('task.channel_id', '=', channelId!))
    .$if(upstreamId !== undefined, (query) => query.where('task.vendor_id', '=', upstreamId!))
    .$if(action !== undefined, (query) => query.where(sql<boolean>`lower(task.action) = lower(${action})`))
    .$if(status !== undefined, (query) => query.where('task.status', '=', status!))
    .$if(from !== undefined, (query) => query.where('task.submitted_at', '>=', from!))
    .$if(to !== undefined, (query) => query.where('task.submitted_at', '<=', to!))
}
