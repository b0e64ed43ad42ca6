import * as api from '@tidegate/contract/api'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { ApiError, errorText } from '../../api/errors.ts'
import { i18n } from '../../lib/i18n.ts'
import { answerWithPasskey } from './passkeys.ts'

/** The security settings of the own account, with its re-authentication methods. */
export const securityQuery = queryOptions({ queryKey: ['security'], queryFn: () => call(api.getSecurity) })

// The dialog shows errors at its field.
const meta = { showsErrors: true }

export function useReauthWithSecret() {
  return useMutation({
    mutationFn: (body: { password: string } | { code: string }) => call(api.proveOwner, { body }),
    meta,
  })
}

export function useReauthWithPasskey() {
  return useMutation({
    mutationFn: async () => {
      const passkey = await answerWithPasskey(await call(api.askForProof))
      return call(api.proveOwner, { body: { passkey } })
    },
    meta,
  })
}

/** The error text where only a code of the app is accepted: the server's text also mentions recovery codes. */
export function appCodeErrorText(error: unknown): string {
  const isWrong = error instanceof ApiError && error.code === 'second_factor_wrong'
  return isWrong ? i18n.t('proof:wrongCode') : errorText(error)
}
