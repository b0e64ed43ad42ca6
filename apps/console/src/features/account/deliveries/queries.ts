import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'

export const DELIVERIES = ['deliveries'] as const
const LOOK_AGAIN_MS = 5000

export const deliveriesQuery = (page: number, size: number) =>
  queryOptions({
    queryKey: [...DELIVERIES, page, size],
    queryFn: ({ signal }) => call(api.listDeliveries, { query: { p: page, page_size: size }, signal }),
    placeholderData: keepPreviousData,
    // What is on its way arrives without a click; a page where nothing waits asks nothing.
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === 'waiting') ? LOOK_AGAIN_MS : false,
  })

export function useRetryDelivery() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(api.retryDelivery, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: DELIVERIES }),
  })
}
