import * as api from '@tidegate/contract/api'
import { callCounted } from '../../../api/client.ts'
import { taskBounds, type FilterRules, type TaskFilters } from '../task-filters.ts'
import { tasksQuery, type AskedTasks } from '../tasks-query.ts'

/** A drawing has neither a platform nor, in its list, a filter by status. */
export const FILTERS: FilterRules = { usualRange: 'month', platforms: [], statuses: [] }

export const drawingsQuery = (asked: AskedTasks) =>
  tasksQuery('drawings', asked, (page, signal) =>
    callCounted(asked.wholeSite ? api.listDrawings : api.listOwnDrawings, {
      query: { ...filterQuery(asked.filters), ...page },
      signal,
    }),
  )

/** The filters as the call wants them, with times in milliseconds. */
function filterQuery(filters: TaskFilters): Record<string, string | number> {
  const { start, end } = taskBounds(filters, FILTERS)
  return {
    ...(filters.task && { mj_id: filters.task }),
    ...(filters.channel !== null && { channel_id: filters.channel }),
    ...(start !== null && { start_timestamp: start * 1000 }),
    ...(end !== null && { end_timestamp: end * 1000 + 999 }),
  }
}
