import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { filterQuery, isUserId, type OrderFilters } from './order-filters.ts'

export interface ListQuestion {
  filters: OrderFilters
  /** 1-based. */
  page: number
  size: number
}

const LIST = ['orders'] as const

export const ordersQuery = ({ filters, page, size }: ListQuestion) =>
  queryOptions({
    queryKey: [...LIST, filters, page, size],
    queryFn: ({ signal }) =>
      call(api.listOrders, { query: { ...filterQuery(filters), p: page, page_size: size }, signal }),
    placeholderData: keepPreviousData,
    enabled: isUserId(filters.user_id),
  })

/** Asked anew each time it is opened: the payment service may have spoken since. */
export const orderQuery = (id: number) =>
  queryOptions({
    queryKey: ['order', id],
    queryFn: ({ signal }) => call(api.getOrder, { params: { id }, signal }),
    staleTime: 0,
  })

/** Asks the payment service about an order. The screen shows what came of it, also when nothing did. */
export function useRecheck(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(api.recheckOrder, { params: { id } }),
    onSuccess: (order) => client.setQueryData(orderQuery(id).queryKey, order),
    // Without an answer it may have been credited all the same.
    onError: () => void client.invalidateQueries({ queryKey: orderQuery(id).queryKey }),
    onSettled: () => void client.invalidateQueries({ queryKey: LIST }),
    meta: { showsErrors: true },
  })
}
