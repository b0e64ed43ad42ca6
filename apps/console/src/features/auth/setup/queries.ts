import * as api from '@tidegate/contract/api'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'

export const setupQuery = queryOptions({ queryKey: ['setup'], queryFn: () => call(api.getSetup) })

type Submission = api.BodyInput<typeof api.submitSetup>

/** Sets the site up and logs its super admin in; null for whoever has to log in themselves. */
export function useSubmitSetup() {
  return useMutation({
    mutationFn: async (body: Submission) => {
      await call(api.submitSetup, { body })
      return logIn(body)
    },
    meta: { showsErrors: true },
  })
}

/** The site is set up whatever becomes of this: where it fails, the login screen says why. */
async function logIn({ username = '', password = '' }: Submission): Promise<api.User | null> {
  if (username === '' || password === '') return null
  const body = { username: username.trim(), password }
  return call(api.login, { query: { turnstile: '' }, body }).catch(() => null)
}
