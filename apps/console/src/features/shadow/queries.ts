import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { TimeRange } from '../../lib/time-range.ts'
import { call } from '../../api/client.ts'
import { callsQuery, periodQuery, type ShadowFilters } from './shadow-filters.ts'

const SHADOW = ['shadow'] as const
const SUMMARY = [...SHADOW, 'summary'] as const

/** Not asked for by itself: the figures stay as they are while somebody reads them. */
export const summaryQuery = ({ range, start, end }: TimeRange) =>
  queryOptions({
    queryKey: [...SUMMARY, range, start, end],
    queryFn: ({ signal }) => call(api.getShadowSummary, { query: periodQuery({ range, start, end }), signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const shadowCallsQuery = (filters: ShadowFilters, page: number, size: number) =>
  queryOptions({
    queryKey: [...SHADOW, 'calls', filters, page, size],
    queryFn: ({ signal }) =>
      call(api.listShadowCalls, { query: { ...callsQuery(filters), p: page, page_size: size }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export function useRefreshShadow() {
  const client = useQueryClient()
  return () => client.refetchQueries({ queryKey: SHADOW, type: 'active' })
}

export function useMatchCalls() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(api.matchShadowCalls),
    onSuccess: () => client.invalidateQueries({ queryKey: SHADOW }),
  })
}

export function useClearCalls() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(api.clearShadowCalls),
    onSuccess: () => client.invalidateQueries({ queryKey: SHADOW }),
  })
}

export type ShadowState = Pick<api.ShadowSummary, 'enabled' | 'share'>

const OPTIONS = { enabled: 'ShadowEnabled', share: 'ShadowShare' } as const

/** Sets one of the two options. Other nodes follow within seconds, so what was set is shown without asking again. */
export function useSetShadow() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (change: Partial<ShadowState>) => {
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
