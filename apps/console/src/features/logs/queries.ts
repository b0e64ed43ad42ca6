import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

interface LogsRequest {
  /** An administrator reads the log of the whole site. */
  wholeSite: boolean
  filters: Record<string, string | number>
  page: number
  size: number
}

export const logsQuery = ({ wholeSite, filters, page, size }: LogsRequest) =>
  queryOptions({
    queryKey: ['logs', wholeSite, filters, page, size],
    queryFn: ({ signal }) =>
      call(wholeSite ? api.listLogs : api.listOwnLogs, { query: { ...filters, p: page, page_size: size }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
