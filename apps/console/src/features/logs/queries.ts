import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, callForStream } from '../../lib/call.ts'
import { filterQuery, type LogFilters } from './filters/log-filters.ts'

/** An administrator reads the log of the whole site, anybody else their own. */
interface Asked {
  wholeSite: boolean
  filters: LogFilters
}

interface LogsRequest extends Asked {
  page: number
  size: number
}

/** The times of a relative range are taken when the call is made: a page left open asks for what is new. */
export const logsQuery = ({ wholeSite, filters, page, size }: LogsRequest) =>
  queryOptions({
    queryKey: ['logs', 'list', wholeSite, filters, page, size],
    queryFn: ({ signal }) =>
      call(wholeSite ? api.listLogs : api.listOwnLogs, {
        query: { ...filterQuery(filters), p: page, page_size: size },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const logStatQuery = ({ wholeSite, filters }: Asked) =>
  queryOptions({
    queryKey: ['logs', 'stat', wholeSite, filters],
    queryFn: ({ signal }) =>
      call(wholeSite ? api.getLogStat : api.getOwnLogStat, { query: filterQuery(filters), signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export function readLogFile({ wholeSite, filters }: Asked, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  return callForStream(wholeSite ? api.exportLogs : api.exportOwnLogs, { query: filterQuery(filters), signal })
}

export const groupsQuery = (wholeSite: boolean) =>
  queryOptions({
    queryKey: ['logs', 'groups', wholeSite],
    queryFn: async () => (wholeSite ? call(api.listGroups) : groupsOf(await call(api.listOwnGroups))),
    staleTime: 60_000,
  })

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: ['logs', 'user', id],
    queryFn: ({ signal }) => call(api.getUser, { params: { id }, signal }),
  })

/** Rows have the group that served them, which is never `auto`. */
function groupsOf(groups: Record<string, api.UsableGroup>): string[] {
  return Object.keys(groups).filter((name) => groups[name]!.ratio !== undefined)
}
