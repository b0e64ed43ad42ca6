import * as api from '@tidegate/contract/api'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'

export interface Credentials {
  username: string
  password: string
}

export function useLogin() {
  return useMutation({
    mutationFn: ({ turnstile, ...body }: Credentials & { turnstile: string }) =>
      call(api.login, { query: { turnstile }, body }),
    // The form says beside its fields what went wrong.
    meta: { showsErrors: true },
  })
}
