import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, callForStream } from '../../api/client.ts'
import { countQuery, filterQuery, rowQuery, type LogFilters } from './filters.ts'
import type { LogPages } from './use-log-pages.ts'

/** Administrators read the log of the whole site, other users their own. */
export interface LogScope {
  wholeSite: boolean
  filters: LogFilters
}

/** Relative ranges are resolved when the request is sent, so that a refetch includes new rows. */
export const logsQuery = (
  { wholeSite, filters }: LogScope,
  { page, size, cursor }: Pick<LogPages, 'page' | 'size' | 'cursor'>,
) =>
  queryOptions({
    queryKey: ['logs', 'list', wholeSite, filters, page, size, cursor],
    queryFn: ({ signal }) =>
      call(wholeSite ? api.listLogs : api.listOwnLogs, {
        query: { ...rowQuery(filters), p: page, page_size: size, ...(cursor !== undefined && { cursor }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

const LIVE_ROWS = 100

/** Rows from a time on, newest first, for live updates. */
export const newerLogs = ({ wholeSite, filters }: LogScope, since: number, signal: AbortSignal) =>
  call(wholeSite ? api.listLogs : api.listOwnLogs, {
    query: { ...rowQuery(filters), start_timestamp: since, p: 1, page_size: LIVE_ROWS },
    signal,
  })

export const statQuery = ({ wholeSite, filters }: LogScope) =>
  queryOptions({
    queryKey: ['logs', 'stat', wholeSite, filters],
    queryFn: ({ signal }) =>
      call(wholeSite ? api.getLogStat : api.getOwnLogStat, { query: filterQuery(filters), signal }),
    staleTime: 0,
  })

export const histogramQuery = ({ wholeSite, filters }: LogScope) =>
  queryOptions({
    queryKey: ['logs', 'histogram', wholeSite, filters],
    queryFn: ({ signal }) =>
      call(wholeSite ? api.getLogHistogram : api.getOwnLogHistogram, { query: countQuery(filters), signal }),
    staleTime: 0,
    retry: false,
  })

export const facetsQuery = ({ wholeSite, filters }: LogScope) =>
  queryOptions({
    queryKey: ['logs', 'facets', wholeSite, filters],
    queryFn: ({ signal }) =>
      call(wholeSite ? api.getLogFacets : api.getOwnLogFacets, { query: countQuery(filters), signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    retry: false,
  })

export function readLogFile(
  { wholeSite, filters }: LogScope,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  return callForStream(wholeSite ? api.exportLogs : api.exportOwnLogs, { query: rowQuery(filters), signal })
}

export const userQuery = (id: number) =>
  queryOptions({
    queryKey: ['logs', 'user', id],
    queryFn: ({ signal }) => call(api.getUser, { params: { id }, signal }),
  })

/** All records of one request. Administrators can read any request and see its channels. */
export const requestQuery = (requestId: string, wholeSite: boolean) =>
  queryOptions({
    queryKey: ['logs', 'request', requestId, wholeSite],
    queryFn: ({ signal }) =>
      call(wholeSite ? api.getRequestTrail : api.getOwnRequestTrail, { query: { request_id: requestId }, signal }),
    staleTime: 0,
  })

export const ATTENTION_KEY = ['logs', 'attention'] as const

export const attentionQuery = queryOptions({
  queryKey: ATTENTION_KEY,
  queryFn: ({ signal }) => call(api.getAttention, { signal }),
  staleTime: 300_000,
  retry: false,
})

export const turnOnErrorLogging = () => call(api.updateOption, { body: { key: 'LogErrorEnabled', value: 'true' } })
