import * as api from '@tidegate/contract/api'
import { callCounted } from '../../../api/client.ts'
import { taskBounds, type FilterRules, type TaskFilters } from '../task-filters.ts'
import { tasksQuery, type AskedTasks } from '../tasks-query.ts'

export const PLATFORMS = ['suno', 'video'] as const
export type Platform = (typeof PLATFORMS)[number]

/** Tasks that are just being sent have no status to ask by, and only drawings wait for a window. */
export const FILTERS: FilterRules = {
  usualRange: 'today',
  platforms: PLATFORMS,
  statuses: api.TASK_STATUSES.filter((status) => status !== '' && status !== 'MODAL'),
}

export const mediaTasksQuery = (asked: AskedTasks) =>
  tasksQuery('media-tasks', asked, (page, signal) =>
    callCounted(asked.wholeSite ? api.listMediaTasks : api.listOwnMediaTasks, {
      query: { ...filterQuery(asked.filters), ...page },
      signal,
    }),
  )

/** The filters as the call wants them, with times in seconds. */
function filterQuery(filters: TaskFilters): Record<string, string | number> {
  const { start, end } = taskBounds(filters, FILTERS)
  return {
    ...(filters.task && { task_id: filters.task }),
    ...(filters.platform && { platform: filters.platform }),
    ...(filters.status && { status: filters.status }),
    ...(filters.channel !== null && { channel_id: filters.channel }),
    ...(start !== null && { start_timestamp: start }),
    ...(end !== null && { end_timestamp: end }),
  }
}
