import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import type { TimeRange } from '../../lib/time-range.ts'
import type { FilterValues } from '../../ui/filters/define-filters.ts'
import { periodQueryOf, requestQueryOf, type requestFilters } from './filters.ts'

/** Key of all queries of shadow mode. */
export const SHADOW = ['shadow'] as const
const SUMMARY = [...SHADOW, 'summary'] as const

/** Not polled: the numbers do not change while someone reads them. */
export const summaryQuery = ({ range, start, end }: TimeRange) =>
  queryOptions({
    queryKey: [...SUMMARY, range, start, end],
    queryFn: ({ signal }) => call(api.getShadowSummary, { query: periodQueryOf({ range, start, end }), signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const requestsQuery = (
  period: TimeRange,
  filters: FilterValues<typeof requestFilters>,
  { page, size }: { page: number; size: number },
) =>
  queryOptions({
    queryKey: [...SHADOW, 'calls', period, filters, page, size],
    queryFn: async ({ signal }) => {
      const query = { ...periodQueryOf(period), ...requestQueryOf(filters), p: page, page_size: size }
      const { items: rows, total } = await call(api.listShadowCalls, { query, signal })
      return { rows, total }
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export function useRefreshShadow() {
  const client = useQueryClient()
  return () => client.refetchQueries({ queryKey: SHADOW, type: 'active' })
}

export function useMatchRequests() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(api.matchShadowCalls),
    onSuccess: () => client.invalidateQueries({ queryKey: SHADOW }),
  })
}

export const clearRequests = () => call(api.clearShadowCalls)

export type ShadowSettings = Pick<api.ShadowSummary, 'enabled' | 'share'>

const OPTIONS = { enabled: 'ShadowEnabled', share: 'ShadowShare' } as const

/** Changes options. Other nodes apply them within seconds, so the new values are shown without a reload. */
export function useSetShadow() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (change: Partial<ShadowSettings>) => {
      for (const name of ['enabled', 'share'] as const) {
        const value = change[name]
        if (value !== undefined) await call(api.updateOption, { body: { key: OPTIONS[name], value: String(value) } })
      }
    },
    onSuccess: (_, change) =>
      client.setQueriesData<api.ShadowSummary>(
        { queryKey: SUMMARY },
        (summary) => summary && { ...summary, ...change },
      ),
  })
}
