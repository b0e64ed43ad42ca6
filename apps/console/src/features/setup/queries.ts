import * as api from '@tidegate/contract/api'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

export const setupQuery = queryOptions({ queryKey: ['setup'], queryFn: () => call(api.getSetup) })

export function useSubmitSetup() {
  return useMutation({
    mutationFn: (body: api.BodyInput<typeof api.submitSetup>) => call(api.submitSetup, { body }),
    meta: { showsErrors: true },
  })
}
