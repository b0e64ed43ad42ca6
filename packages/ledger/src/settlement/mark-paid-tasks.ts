import { sql } from 'kysely'
import type { Db } from '@tidegate/storage'
import { json } from './json.ts'
import type { WaitingBooking } from './pending-settlement.ts'

/**
 * Notes on each task what was really taken for it, in the very transaction that takes it: what a failed task is given
 * back is read from there, whenever its booking came.
 */
export async function markPaidTasks(
  db: Db,
  bookings: readonly Pick<WaitingBooking, 'taskId' | 'quota'>[],
): Promise<void> {
  const paid = bookings
    .flatMap(({ quota, taskId }) => (taskId === undefined || quota === 0 ? [] : [{ id: taskId, quota }]))
    .toSorted((a, b) => a.id - b.id)
  if (paid.length === 0) return
  await sql`
    with locked as (select id from task where id = any(${paid.map(({ id }) => id)}) order by id for update)
    update task t set charged = t.charged + s.quota
    from json_to_recordset(${json(paid)}) as s(id bigint, quota bigint), locked
    where t.id = s.id and locked.id = t.id`.execute(db)
}
