import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import type { FilterValues } from '../../ui/filters/define-filters.ts'
import type { orderFilters } from './filters.ts'

/** Key of all queries that list payment orders. */
const ORDERS = ['orders'] as const

export const ordersQuery = (
  { trade_no, user_id, status, provider }: FilterValues<typeof orderFilters>,
  { page, size }: { page: number; size: number },
) =>
  queryOptions({
    queryKey: [...ORDERS, trade_no, user_id, status, provider, page, size],
    queryFn: async ({ signal }) => {
      const query = {
        ...(trade_no && { trade_no }),
        ...(user_id !== null && { user_id }),
        ...(status && { status }),
        ...(provider && { provider }),
        p: page,
        page_size: size,
      }
      const { items: rows, total } = await call(api.listOrders, { query, signal })
      return { rows, total }
    },
    placeholderData: keepPreviousData,
  })

/** Loaded on each opening, because a payment event may have arrived. */
export const orderQuery = (id: number) =>
  queryOptions({
    queryKey: ['order', id],
    queryFn: ({ signal }) => call(api.getOrder, { params: { id }, signal }),
    staleTime: 0,
  })

/** Checks an order with the payment service. The drawer shows the result and errors. */
export function useRecheck(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(api.recheckOrder, { params: { id } }),
    onSuccess: (order) => client.setQueryData(orderQuery(id).queryKey, order),
    // Without a response the order may have been credited.
    onError: () => void client.invalidateQueries({ queryKey: orderQuery(id).queryKey }),
    onSettled: () => void client.invalidateQueries({ queryKey: ORDERS }),
    meta: { showsErrors: true },
  })
}
