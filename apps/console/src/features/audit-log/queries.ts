import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, callForStream } from '../../api/client.ts'
import { filterQuery, type AuditFilters } from './audit-filters.ts'

export const auditQuery = (filters: AuditFilters, page: number, size: number) =>
  queryOptions({
    queryKey: ['audit', filters, page, size],
    queryFn: ({ signal }) =>
      call(api.listAuditEvents, { query: { ...filterQuery(filters), p: page, page_size: size }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export function readAuditFile(filters: AuditFilters, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  return callForStream(api.exportAuditEvents, { query: filterQuery(filters), signal })
}

const FEW_PEOPLE = 20

/** People whose name or id was typed, to choose one from. */
export const peopleQuery = (keyword: string) =>
  queryOptions({
    queryKey: ['audit-people', keyword],
    queryFn: async ({ signal }) => {
      const { items } = await call(api.searchUsers, { query: { keyword, p: 1, page_size: FEW_PEOPLE }, signal })
      return items.map(({ id, username }) => ({ id, name: username }))
    },
    enabled: keyword !== '',
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
