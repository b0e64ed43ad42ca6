import * as api from '@tidegate/contract/api'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { answerWithPasskey } from '../reauth/passkeys.ts'

// Every screen of these says itself what went wrong.
const meta = { showsErrors: true }

/** Answers where to send the browser. */
export function useStartSignIn() {
  return useMutation({
    mutationFn: (body: api.BodyInput<typeof api.startSignIn>) => call(api.startSignIn, { body }),
    meta,
  })
}

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
