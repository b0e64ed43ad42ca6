import * as api from '@tidegate/contract/api'
import { useMutation } from '@tanstack/react-query'
import { call, type CallInput } from '../../../api/client.ts'

// The form says beside its fields what went wrong.
const meta = { showsErrors: true }

export function useRegister() {
  return useMutation({ mutationFn: (input: CallInput<typeof api.register>) => call(api.register, input), meta })
}

export function useRequestCode() {
  return useMutation({
    mutationFn: (query: { email: string; turnstile: string }) => call(api.requestVerification, { query }),
    meta,
  })
}
