import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callCounted } from '../../api/client.ts'
import { isUnreachable } from '../../api/errors.ts'
import type { FilterValues } from '../../ui/filters/define-filters.ts'
import { imageQueryOf, mediaQueryOf, type imageFilters, type mediaFilters } from './filters.ts'
import { isOpen } from './task-values.ts'

/** Administrators list the tasks of all users, other users their own. */
export type Scope = 'all' | 'own'

interface Paging {
  page: number
  size: number
}

export const imageTasksQuery = (scope: Scope, filters: FilterValues<typeof imageFilters.all>, paging: Paging) =>
  tasksQuery(['drawings', scope, filters], paging, (page, signal) =>
    callCounted(scope === 'all' ? api.listDrawings : api.listOwnDrawings, {
      query: { ...imageQueryOf(filters), ...page },
      signal,
    }),
  )

export const mediaTasksQuery = (scope: Scope, filters: FilterValues<typeof mediaFilters.all>, paging: Paging) =>
  tasksQuery(['media-tasks', scope, filters], paging, (page, signal) =>
    callCounted(scope === 'all' ? api.listMediaTasks : api.listOwnMediaTasks, {
      query: { ...mediaQueryOf(filters), ...page },
      signal,
    }),
  )

type Load<Row> = (
  page: { p: number; page_size: number },
  signal: AbortSignal,
) => Promise<{ data: Row[]; total: number | undefined }>

/** One page of tasks, polled while one of them is open. The API counts pages from zero. */
function tasksQuery<Row extends { status: string }>(key: readonly unknown[], { page, size }: Paging, load: Load<Row>) {
  return queryOptions({
    queryKey: [...key, page, size],
    queryFn: async ({ signal }) => {
      const { data: rows, total = rows.length } = await load({ p: page - 1, page_size: size }, signal)
      return { rows, total, isCapped: total >= api.COUNTED_LOGS }
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: pollInterval,
  })
}

const POLL_MS = 3000

interface ListState {
  data: { rows: readonly { status: string }[] } | undefined
  error: Error | null
}

/**
 * Polls while a task is open. Stops after an error, which would be shown each time, unless the server is unreachable and
 * may come back. Hidden tabs do not poll.
 */
function pollInterval({ state: { data, error } }: { state: ListState }): number | false {
  if (error && !isUnreachable(error)) return false
  return data?.rows.some(isOpen) ? POLL_MS : false
}
