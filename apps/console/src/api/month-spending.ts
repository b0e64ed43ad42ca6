import * as api from '@tidegate/contract/api'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

export const MONTH_DAYS = 30

/** Spending of the signed-in user in the last 30 days. */
export const monthSpendingQuery = queryOptions({
  queryKey: ['month-spending'],
  queryFn: async ({ signal }) => {
    const end = Math.floor(Date.now() / 1000)
    const query = { start_timestamp: end - MONTH_DAYS * 86_400, end_timestamp: end, default_time: 'week' as const }
    const rows = await call(api.getOwnData, { query, signal })
    return rows.reduce((sum, { quota }) => sum + quota, 0)
  },
  staleTime: 60_000,
  retry: false,
  meta: { showsErrors: true },
})
