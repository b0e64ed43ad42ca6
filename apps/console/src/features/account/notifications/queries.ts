import * as api from '@tidegate/contract/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { DELIVERIES } from '../deliveries/queries.ts'

/** The field tells of a refusal itself. */
export function useRequestCode() {
  return useMutation({
    mutationFn: (query: { email: string; turnstile: string }) => call(api.requestVerification, { query }),
    meta: { showsErrors: true },
  })
}

export interface TestResult {
  delivery: api.Delivery
  seconds: number
}

/** Sends a test at once and takes the time. The screen shows how it went, refusals too. */
export function useTestNotice() {
  const client = useQueryClient()
  return useMutation({
    async mutationFn(body: api.BodyInput<typeof api.testNotice>): Promise<TestResult> {
      const begun = performance.now()
      const delivery = await call(api.testNotice, { body })
      return { delivery, seconds: (performance.now() - begun) / 1000 }
    },
    onSuccess: () => client.invalidateQueries({ queryKey: DELIVERIES }),
    meta: { showsErrors: true },
  })
}
