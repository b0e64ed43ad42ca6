import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, callCounted } from '../../lib/call.ts'

export interface ListQuestion {
  /** Part of a name; blank takes any. */
  keyword: string
  /** Part of a key, with or without what screens put before it; blank takes any. */
  key: string
  /** 1-based here; the wire counts from 0. */
  page: number
  size: number
}

export const tokensQuery = ({ keyword, key, page, size }: ListQuestion) =>
  queryOptions({
    queryKey: ['tokens', keyword, key, page, size],
    queryFn: ({ signal }) => {
      const paging = { p: page - 1, size }
      return keyword === '' && key === ''
        ? callCounted(api.listTokens, { query: paging, signal })
        : callCounted(api.searchTokens, { query: { keyword, token: key, ...paging }, signal })
    },
    placeholderData: keepPreviousData,
  })

/** Asked anew each time an editor opens: calls may have spent of it since the list was drawn. */
export const tokenQuery = (id: number, opening: number) =>
  queryOptions({
    queryKey: ['token', id, opening],
    queryFn: ({ signal }) => call(api.getToken, { params: { id }, signal }),
    gcTime: 0,
    staleTime: Infinity,
  })

export const ownGroupsQuery = queryOptions({
  queryKey: ['own-groups'],
  queryFn: () => call(api.listOwnGroups),
  staleTime: 60_000,
})

export const ownModelsQuery = queryOptions({
  queryKey: ['own-models'],
  queryFn: () => call(api.listOwnModels),
  staleTime: 60_000,
})
