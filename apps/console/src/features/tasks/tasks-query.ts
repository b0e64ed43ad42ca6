import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { pollWhileOpen } from './poll-while-open.ts'
import type { TaskFilters } from './task-filters.ts'

export interface AskedTasks {
  /** An administrator sees the tasks of the whole site, anybody else their own. */
  wholeSite: boolean
  filters: TaskFilters
  page: number
  size: number
}

interface PageQuery {
  p: number
  page_size: number
}

type Ask<Row> = (page: PageQuery, signal: AbortSignal) => Promise<{ data: Row[]; total: number | undefined }>

/** A page of a list of tasks, asked for again while one of them is open. */
export const tasksQuery = <Row extends { status: string }>(name: string, asked: AskedTasks, ask: Ask<Row>) =>
  queryOptions({
    queryKey: [name, asked.wholeSite, asked.filters, asked.page, asked.size],
    queryFn: async ({ signal }) => {
      const { data, total } = await ask({ p: asked.page - 1, page_size: asked.size }, signal)
      return { items: data, total: total ?? data.length }
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: pollWhileOpen,
  })
