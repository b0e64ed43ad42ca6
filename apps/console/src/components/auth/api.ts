import * as api from '@tidegate/contract/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { call } from '../../api/client.ts'
import { ApiError } from '../../api/errors.ts'
import { rememberUser } from '../../api/session.ts'
import { toast } from '../../lib/toast.ts'
import { answerWithPasskey } from '../reauth/passkeys.ts'

/** Callbacks of a sign-in that stays on the page. */
export interface SignInHandlers {
  onUser(user: api.User): void
  onSecondFactor(needed: api.SecondFactorNeeded): void
}

// The forms show errors themselves.
const meta = { showsErrors: true }

export function useLoginWithWeChat() {
  return useMutation({ mutationFn: (code: string) => call(api.loginWithWeChat, { query: { code } }), meta })
}

export function useLoginWithPasskey() {
  return useMutation({
    mutationFn: async () => {
      const body = await answerWithPasskey(await call(api.askForPasskey, { body: {} }))
      return call(api.loginWithPasskey, { body })
    },
    meta,
  })
}

export function useFinishWithCode(login_ticket: string) {
  return useMutation({
    mutationFn: (code: string) => call(api.finishLogin, { body: { login_ticket, code } }),
    meta,
  })
}

export function useFinishWithPasskey(login_ticket: string) {
  return useMutation({
    mutationFn: async () => {
      const passkey = await answerWithPasskey(await call(api.askForPasskey, { body: { login_ticket } }))
      return call(api.finishLogin, { body: { login_ticket, passkey } })
    },
    meta,
  })
}

/** Sends a code to an email address. */
export function useRequestCode() {
  return useMutation({
    mutationFn: (query: { email: string; turnstile: string }) => call(api.requestVerification, { query }),
    meta,
  })
}

/** The second factor that an error asks for. Null for any other error. */
export function readSecondFactor(error: unknown): api.SecondFactorNeeded | null {
  if (!(error instanceof ApiError) || error.code !== 'second_factor_required') return null
  return isSecondFactor(error.data) ? error.data : null
}

function isSecondFactor(data: unknown): data is api.SecondFactorNeeded {
  if (typeof data !== 'object' || data === null) return false
  return 'ticket' in data && typeof data.ticket === 'string' && 'methods' in data && Array.isArray(data.methods)
}

/** Stores the user after any kind of sign-in and opens the destination. */
export function useCompleteSignIn(): (user: api.User, destination: string) => void {
  const { t } = useTranslation('entry')
  const navigate = useNavigate()
  const client = useQueryClient()
  return (user, destination) => {
    // Cached data may belong to another user.
    client.removeQueries({ predicate: (query) => query.queryKey[0] !== 'status' })
    rememberUser(user)
    toast.success(t('success'))
    void navigate(destination, { replace: true })
  }
}
