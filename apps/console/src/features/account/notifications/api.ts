import * as api from '@tidegate/contract/api'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'

export interface TestResult {
  delivery: api.Delivery
  seconds: number
}

/** Sends a test notification and measures its duration. The form shows the result and errors. */
export function useTestNotification() {
  const client = useQueryClient()
  return useMutation({
    async mutationFn(body: api.BodyInput<typeof api.testNotice>): Promise<TestResult> {
      const start = performance.now()
      const delivery = await call(api.testNotice, { body })
      return { delivery, seconds: (performance.now() - start) / 1000 }
    },
    onSuccess: () => client.invalidateQueries({ queryKey: DELIVERIES }),
    meta: { showsErrors: true },
  })
}

const DELIVERIES = ['deliveries'] as const
const POLL_MS = 5000

export const deliveriesQuery = (page: number, size: number) =>
  queryOptions({
    queryKey: [...DELIVERIES, page, size],
    queryFn: ({ signal }) => call(api.listDeliveries, { query: { p: page, page_size: size }, signal }),
    placeholderData: keepPreviousData,
    // Polls only while a delivery is waiting.
    refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => status === 'waiting') ? POLL_MS : false),
  })

export function useRetryDelivery() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(api.retryDelivery, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: DELIVERIES }),
  })
}
