import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, callForStream } from '../../api/client.ts'
import { hidesLogins, queryOf, type AuditFilters } from './filters.ts'

export const eventsQuery = (filters: AuditFilters, { page, size }: { page: number; size: number }) =>
  queryOptions({
    queryKey: ['audit', filters, page, size],
    queryFn: async ({ signal }) => {
      const query = {
        ...queryOf(filters),
        ...(hidesLogins(filters) && { without_logins: true }),
        p: page,
        page_size: size,
      }
      const { items: rows, total } = await call(api.listAuditEvents, { query, signal })
      return { rows, total }
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const readAuditFile = (filters: AuditFilters, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> =>
  callForStream(api.exportAuditEvents, { query: queryOf(filters), signal })

export interface Person {
  id: number
  name: string
}

const MAX_USERS = 20

/** Users whose name or ID matches the search text. */
export const usersQuery = (keyword: string) =>
  queryOptions({
    queryKey: ['audit-users', keyword],
    queryFn: async ({ signal }): Promise<Person[]> => {
      const { items } = await call(api.searchUsers, { query: { keyword, p: 1, page_size: MAX_USERS }, signal })
      return items.map(({ id, username }) => ({ id, name: username }))
    },
    enabled: keyword !== '',
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
