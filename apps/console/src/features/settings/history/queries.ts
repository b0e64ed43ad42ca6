import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'

export const HISTORY_PAGE = 20

/** One page of changes, of all options or of one. */
export const historyQuery = (key: string, page: number) =>
  queryOptions({
    queryKey: ['option-history', key, page],
    queryFn: ({ signal }) => call(api.listOptionHistory, { query: { key, p: page, page_size: HISTORY_PAGE }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** An option can change what any screen shows, so everything is read anew. */
export function useRestoreOption() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(api.restoreOption, { params: { id } }),
    onSuccess: () => client.invalidateQueries(),
    meta: { showsErrors: true },
  })
}
