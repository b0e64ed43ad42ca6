import { ApiError } from '@tidegate/contract'
import type { Catalog, StoredTask, TaskStore, Caller } from '../ports/index.ts'
import type { TaskRequest } from './task-request.ts'

/** The own task that an order continues: done, where that is asked for, and at a channel that can still be used. */
export async function findFollowed(
  { store, catalog }: { store: Pick<TaskStore, 'findOwn'>; catalog: Catalog },
  { userId }: Caller,
  { task, follows }: { task: TaskRequest['task']; follows: NonNullable<TaskRequest['follows']> },
): Promise<StoredTask> {
  const [found] = await store.findOwn({ userId, task, vendorIds: [follows.vendorId] })
  if (!found) throw new ApiError('task_not_exist')
  const mustBeDone = follows.onceDone && (task !== 'drawing' || catalog.settings.MjActionCheckSuccessEnabled)
  if (mustBeDone && found.status !== 'SUCCESS') throw new ApiError('task_not_ready', { status: found.status || 'new' })
  if (!catalog.channels.get(found.channelId)?.enabled) throw new ApiError('task_channel_gone')
  return found
}
