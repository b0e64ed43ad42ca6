import * as api from '@tidegate/contract/api'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { answerWithPasskey } from './passkeys.ts'

/** The dialog tells beside its field what went wrong. */
const meta = { showsErrors: true }

export function useProveWithSecret() {
  return useMutation({
    mutationFn: (body: { password: string } | { code: string }) => call(api.proveOwner, { body }),
    meta,
  })
}

export function useProveWithPasskey() {
  return useMutation({
    mutationFn: async () => {
      const passkey = await answerWithPasskey(await call(api.askForProof))
      return call(api.proveOwner, { body: { passkey } })
    },
    meta,
  })
}
