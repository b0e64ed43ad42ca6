import type { Db } from '../../connection/connect.ts'
import type { BatchState } from '../../schema/index.ts'
import { storableId } from '../responses/stored-responses.ts'
import type { CountedRows } from '../../log-store/log-store.ts'
import type { BatchRow } from './batches.ts'

export interface BatchFilters {
  userId?: number | undefined
  state?: string | undefined
}

export type BatchListRow = BatchRow & { username: string | null; channel_name: string | null }

/** Newest first. */
export function page(
  db: Db,
  filters: BatchFilters,
  { limit, offset }: { limit: number; offset: number },
): Promise<BatchListRow[]> {
  return applyFilters(db, filters)
    .leftJoin('user', 'user.id', 'batch.user_id')
    .selectAll('batch')
    .leftJoin('channel', 'channel.id', 'batch.channel_id')
    .select(['user.username', 'channel.name as channel_name'])
    .orderBy('batch.created_at', 'desc')
    .orderBy('batch.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** The number of batches; counting stops at `max`. */
export async function countUpTo(db: Db, filters: BatchFilters, max: number): Promise<CountedRows> {
  const { count } = await db
    .selectFrom(
      applyFilters(db, filters)
        .select('batch.id')
        .limit(max + 1)
        .as('found'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { count: Math.min(count, max), more: count > max }
}

/** A batch by its id: of one user, or of any. */
export function find(
  db: Db,
  { id, userId }: { id: string; userId: number | undefined },
): Promise<BatchRow | undefined> {
  return applyFilters(db, { userId }).selectAll('batch').where('batch.id', '=', storableId(id)).executeTakeFirst()
}

function applyFilters(db: Db, { userId, state }: BatchFilters) {
  return db
    .selectFrom('batch')
    .$if(userId !== undefined, (query) => query.where('batch.user_id', '=', userId!))
    .$if(state !== undefined, (query) => query.where('batch.state', '=', state as BatchState))
}
