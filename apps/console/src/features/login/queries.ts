import * as api from '@tidegate/contract/api'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

export interface Credentials {
  username: string
  password: string
}

export function useLogin() {
  return useMutation({
    mutationFn: (body: Credentials) => call(api.login, { body }),
    // The form says beside its fields what went wrong.
    meta: { showsErrors: true },
  })
}
