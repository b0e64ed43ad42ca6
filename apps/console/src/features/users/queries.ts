import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { isFiltered, type UserFilters } from './user-filters.ts'

export interface ListQuestion {
  filters: UserFilters
  /** 1-based. On the wire the list counts from 0 and the search from 1. */
  page: number
  size: number
}

export const usersQuery = ({ filters, page, size }: ListQuestion) =>
  queryOptions({
    queryKey: ['users', filters, page, size],
    queryFn: ({ signal }) =>
      isFiltered(filters)
        ? call(api.searchUsers, { query: { ...filters, p: page, page_size: size }, signal })
        : call(api.listUsers, { query: { p: page - 1, page_size: size }, signal }),
    placeholderData: keepPreviousData,
  })

/** Asked anew each time an editor opens: the balance it starts from is the one that the change is measured against. */
export const userQuery = (id: number, opening: number) =>
  queryOptions({
    queryKey: ['user', id, opening],
    queryFn: ({ signal }) => call(api.getUser, { params: { id }, signal }),
    gcTime: 0,
    staleTime: Infinity,
  })
