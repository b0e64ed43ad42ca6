import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

export interface ListQuestion {
  /** The beginning of a name, an id or a whole code; blank lists all. */
  keyword: string
  /** 1-based, as on the wire. */
  page: number
  size: number
}

export const couponsQuery = ({ keyword, page, size }: ListQuestion) =>
  queryOptions({
    queryKey: ['coupons', keyword, page, size],
    queryFn: ({ signal }) =>
      keyword === ''
        ? call(api.listRedemptions, { query: { p: page, page_size: size }, signal })
        : call(api.searchRedemptions, { query: { keyword, p: page, page_size: size }, signal }),
    placeholderData: keepPreviousData,
  })

/** Asked anew each time an editor opens: somebody may have used the code since the list was drawn. */
export const couponQuery = (id: number, opening: number) =>
  queryOptions({
    queryKey: ['coupon', id, opening],
    queryFn: ({ signal }) => call(api.getRedemption, { params: { id }, signal }),
    gcTime: 0,
    staleTime: Infinity,
  })
