import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

/** `page` is 1-based here; the wire counts from 0. */
export const tokensQuery = (page: number, size: number) =>
  queryOptions({
    queryKey: ['tokens', page, size],
    queryFn: ({ signal }) => call(api.listTokens, { query: { p: page - 1, size }, signal }),
    placeholderData: keepPreviousData,
  })

export const ownGroupsQuery = queryOptions({
  queryKey: ['own-groups'],
  queryFn: () => call(api.listOwnGroups),
  staleTime: 60_000,
})

export function useCreateToken() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: api.BodyInput<typeof api.createToken>) => call(api.createToken, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['tokens'] }),
  })
}

export function useDeleteToken() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(api.deleteToken, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['tokens'] }),
  })
}
