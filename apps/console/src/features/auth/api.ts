import * as api from '@tidegate/contract/api'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call, type CallInput } from '../../api/client.ts'

// The forms show errors themselves.
const meta = { showsErrors: true }

export interface Credentials {
  username: string
  password: string
}

export function useLogin() {
  return useMutation({
    mutationFn: ({ turnstile, ...body }: Credentials & { turnstile: string }) =>
      call(api.login, { query: { turnstile }, body }),
    meta,
  })
}

export function useRegister() {
  return useMutation({ mutationFn: (input: CallInput<typeof api.register>) => call(api.register, input), meta })
}

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
    // Do not keep the new password after the page is closed.
    gcTime: 0,
  })
}

export const setupQuery = queryOptions({ queryKey: ['setup'], queryFn: () => call(api.getSetup) })

type SetupBody = api.BodyInput<typeof api.submitSetup>

/** Sets up the site and signs the super admin in. Returns null if they have to sign in themselves. */
export function useSubmitSetup() {
  return useMutation({
    mutationFn: async (body: SetupBody) => {
      await call(api.submitSetup, { body })
      return signIn(body)
    },
    meta,
  })
}

/** The setup has succeeded even if this fails. The sign-in page then shows the reason. */
async function signIn({ username = '', password = '' }: SetupBody): Promise<api.User | null> {
  if (username === '' || password === '') return null
  const body = { username: username.trim(), password }
  return call(api.login, { query: { turnstile: '' }, body }).catch(() => null)
}
