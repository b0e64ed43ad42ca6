import * as api from '@tidegate/contract/api'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../api/errors.ts'
import { call } from '../../../api/client.ts'
import { createPasskey } from '../../../components/reauth/passkeys.ts'
import { askForProof } from '../../../api/reauth-hook.ts'
import { securityQuery } from '../../../components/reauth/security-query.ts'
import { selfQuery } from '../queries.ts'

export const sessionsQuery = queryOptions({ queryKey: ['own-sessions'], queryFn: () => call(api.listSessions) })

export const accessTokenQuery = queryOptions({ queryKey: ['access-token'], queryFn: () => call(api.getAccessToken) })

export const automationTokensQuery = queryOptions({
  queryKey: ['automation-tokens'],
  queryFn: () => call(api.listAutomationTokens),
})

type Changed = { queryKey: readonly unknown[] }

/** A change, and the queries whose answer it makes old. `inForm`: the dialog tells of a refusal, so no toast does. */
function useChange<Input = void, Output = unknown>(
  mutationFn: (input: Input) => Promise<Output>,
  changed: readonly Changed[],
  { inForm = false } = {},
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    // Not waited for: what is shown this once must not depend on whether a list can be read again.
    onSuccess: () => changed.forEach(({ queryKey }) => void client.invalidateQueries({ queryKey })),
    meta: { showsErrors: inForm },
  })
}

const IN_FORM = { inForm: true }

export const useChangePassword = () => useChange(changePassword, [securityQuery, sessionsQuery], IN_FORM)

/** An account without a password cannot give its old one: it is asked for another proof instead. */
async function changePassword(body: { password: string; original_password: string }): Promise<void> {
  try {
    await call(api.updateSelf, { body })
  } catch (error) {
    const wantsProof = error instanceof ApiError && error.code === 'original_password_required'
    if (!wantsProof || !(await askForProof())) throw error
    await call(api.updateSelf, { body })
  }
}

export const useRequestBindCode = () =>
  useChange((query: { email: string; turnstile: string }) => call(api.requestVerification, { query }), [], IN_FORM)

export const useBindEmail = () =>
  useChange((query: { email: string; code: string }) => call(api.bindEmail, { query }), [selfQuery], IN_FORM)

/** Answers where to send the browser. */
export const useStartBinding = () =>
  useChange((service: api.RedirectService) => call(api.startSignIn, { body: { service, intent: 'bind' } }), [])

export const useBindWeChat = () =>
  useChange((query: { code: string }) => call(api.bindWeChat, { query }), [securityQuery, selfQuery], IN_FORM)

export const useUnbind = () =>
  useChange(
    (service: api.SignInServiceName) => call(api.unbindService, { body: { service } }),
    [securityQuery, selfQuery],
  )

export const useBeginTotp = () => useChange(() => call(api.beginTotp), [])

export const useEnableTotp = () =>
  useChange((code: string) => call(api.enableTotp, { body: { code } }), [securityQuery], IN_FORM)

export const useDisableTotp = () => useChange(() => call(api.disableTotp), [securityQuery])

export const useRenewRecoveryCodes = () => useChange(() => call(api.renewRecoveryCodes), [securityQuery])

export const useAddPasskey = () =>
  useChange(
    async (name: string) => {
      const answer = await createPasskey(await call(api.askForNewPasskey))
      return call(api.addPasskey, { body: { ...answer, name } })
    },
    [securityQuery],
    IN_FORM,
  )

export const useRenamePasskey = () =>
  useChange(
    ({ id, name }: { id: number; name: string }) => call(api.renamePasskey, { params: { id }, body: { name } }),
    [securityQuery],
    IN_FORM,
  )

export const useRemovePasskey = () =>
  useChange((id: number) => call(api.removePasskey, { params: { id } }), [securityQuery])

export const useEndSession = () =>
  useChange((hash: string) => call(api.endSession, { params: { hash } }), [sessionsQuery])

export const useEndAllSessions = () => useChange(() => call(api.endAllSessions), [])

export const useRenewAccessToken = () => useChange(() => call(api.renewAccessToken), [accessTokenQuery])

export const useRevokeAccessToken = () => useChange(() => call(api.revokeAccessToken), [accessTokenQuery])

export const useCreateAutomationToken = () =>
  useChange(
    (body: api.NewAutomationToken) => call(api.createAutomationToken, { body }),
    [automationTokensQuery],
    IN_FORM,
  )

export const useRevokeAutomationToken = () =>
  useChange((id: number) => call(api.revokeAutomationToken, { params: { id } }), [automationTokensQuery])

export const useDeleteSelf = () =>
  useChange(
    async (username: string) => {
      await call(api.deleteSelf, { query: { username } })
      // The account is gone already; this only clears what the browser holds.
      await call(api.logout).catch(() => {})
    },
    [],
    IN_FORM,
  )
