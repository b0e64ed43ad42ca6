import * as api from '@tidegate/contract/api'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'

// The screens say beside their buttons what went wrong.
const meta = { showsErrors: true }

export function useRequestReset() {
  return useMutation({
    mutationFn: (query: { email: string; turnstile: string }) => call(api.requestPasswordReset, { query }),
    meta,
  })
}

export function useResetPassword() {
  return useMutation({
    mutationFn: (body: { email: string; token: string }) => call(api.resetPassword, { body }),
    meta,
    // The new password is not kept once its screen is left.
    gcTime: 0,
  })
}
