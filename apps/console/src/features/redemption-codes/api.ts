import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import type { FilterValues } from '../../ui/filters/define-filters.ts'
import { EXPIRED, type codeFilters } from './filters.ts'

/** Key of all queries that list redemption codes. */
export const CODES = ['redemption-codes'] as const

export const codesQuery = (
  { keyword, status }: FilterValues<typeof codeFilters>,
  { page, size }: { page: number; size: number },
) =>
  queryOptions({
    queryKey: [...CODES, keyword, status, page, size],
    queryFn: async ({ signal }) => {
      const paging = { p: page, page_size: size }
      const { items: rows, total } =
        keyword === '' && status === ''
          ? await call(api.listRedemptions, { query: paging, signal })
          : await call(api.searchRedemptions, { query: { keyword, ...statusQuery(status), ...paging }, signal })
      return { rows, total }
    },
    placeholderData: keepPreviousData,
  })

/** Unused codes are listed without the expired ones. */
function statusQuery(status: string) {
  if (status === EXPIRED) return { expired: 'true' }
  return { status, ...(status === String(api.REDEMPTION_STATUS.unused) && { expired: 'false' }) }
}

/** The number of codes with each status. */
export const codeCountsQuery = (keyword: string) =>
  queryOptions({
    queryKey: [...CODES, 'counts', keyword],
    queryFn: ({ signal }) => call(api.getRedemptionSummary, { query: { keyword }, signal }),
    placeholderData: keepPreviousData,
  })

export const codeQuery = (id: number) =>
  queryOptions({
    queryKey: ['redemption-code', id],
    queryFn: ({ signal }) => call(api.getRedemption, { params: { id }, signal }),
  })

export const createCodes = (body: api.BodyInput<typeof api.createRedemptions>) => call(api.createRedemptions, { body })

export const updateCode = (body: api.BodyInput<typeof api.updateRedemption>) => call(api.updateRedemption, { body })

export const setCodeStatus = (body: { id: number; status: number }) =>
  call(api.updateRedemption, { query: { status_only: 'true' }, body })

export const disableCodes = (ids: number[]) => call(api.disableRedemptions, { body: { ids } })

export const deleteCode = (id: number) => call(api.deleteRedemption, { params: { id } })

export const deleteDisabledCodes = () => call(api.deleteDisabledRedemptions)

export const countCodesByName = (name: string) => call(api.countRedemptionsByName, { query: { name } })

export const deleteCodesByName = (name: string) => call(api.deleteRedemptionsByName, { query: { name } })
