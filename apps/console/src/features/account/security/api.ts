import * as api from '@tidegate/contract/api'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { ApiError } from '../../../api/errors.ts'
import { createPasskey } from '../../../components/reauth/passkeys.ts'
import { askForProof } from '../../../api/reauth-hook.ts'
import { securityQuery } from '../../../components/reauth/api.ts'
import { selfQuery } from '../api.ts'

export const sessionsQuery = queryOptions({ queryKey: ['own-sessions'], queryFn: () => call(api.listSessions) })

export const accessTokenQuery = queryOptions({ queryKey: ['access-token'], queryFn: () => call(api.getAccessToken) })

export const automationTokensQuery = queryOptions({
  queryKey: ['automation-tokens'],
  queryFn: () => call(api.listAutomationTokens),
})

/** A change and the queries to reload after it. `inForm`: the dialog shows errors, so there is no toast. */
function useSecurityChange<Input = void, Output = unknown>(
  mutationFn: (input: Input) => Promise<Output>,
  changed: readonly { queryKey: readonly unknown[] }[],
  { inForm = false } = {},
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    // Not awaited: a new token must be shown even if a list cannot be reloaded.
    onSuccess: () => changed.forEach(({ queryKey }) => void client.invalidateQueries({ queryKey })),
    meta: { showsErrors: inForm },
  })
}

const IN_FORM = { inForm: true }

export const useChangePassword = () => useSecurityChange(changePassword, [securityQuery, sessionsQuery], IN_FORM)

/** An account without a password has to re-authenticate instead of entering the old password. */
async function changePassword(body: { password: string; original_password: string }): Promise<void> {
  try {
    await call(api.updateSelf, { body })
  } catch (error) {
    const needsReauth = error instanceof ApiError && error.code === 'original_password_required'
    if (!needsReauth || !(await askForProof())) throw error
    await call(api.updateSelf, { body })
  }
}

export const useBindEmail = () =>
  useSecurityChange((query: { email: string; code: string }) => call(api.bindEmail, { query }), [selfQuery], IN_FORM)

export const useBindWeChat = () =>
  useSecurityChange((query: { code: string }) => call(api.bindWeChat, { query }), [securityQuery, selfQuery], IN_FORM)

export const useUnbind = () =>
  useSecurityChange(
    (service: api.SignInServiceName) => call(api.unbindService, { body: { service } }),
    [securityQuery, selfQuery],
  )

export const useBeginTotp = () => useSecurityChange(() => call(api.beginTotp), [])

export const useEnableTotp = () =>
  useSecurityChange((code: string) => call(api.enableTotp, { body: { code } }), [securityQuery], IN_FORM)

export const useDisableTotp = () => useSecurityChange(() => call(api.disableTotp), [securityQuery])

export const useRenewRecoveryCodes = () => useSecurityChange(() => call(api.renewRecoveryCodes), [securityQuery])

export const useAddPasskey = () =>
  useSecurityChange(
    async (name: string) => {
      const answer = await createPasskey(await call(api.askForNewPasskey))
      return call(api.addPasskey, { body: { ...answer, name } })
    },
    [securityQuery],
    IN_FORM,
  )

export const useRenamePasskey = () =>
  useSecurityChange(
    ({ id, name }: { id: number; name: string }) => call(api.renamePasskey, { params: { id }, body: { name } }),
    [securityQuery],
    IN_FORM,
  )

export const useRemovePasskey = () =>
  useSecurityChange((id: number) => call(api.removePasskey, { params: { id } }), [securityQuery])

export const useEndSession = () =>
  useSecurityChange((hash: string) => call(api.endSession, { params: { hash } }), [sessionsQuery])

export const useEndAllSessions = () => useSecurityChange(() => call(api.endAllSessions), [])

export const useRenewAccessToken = () => useSecurityChange(() => call(api.renewAccessToken), [accessTokenQuery])

export const useRevokeAccessToken = () => useSecurityChange(() => call(api.revokeAccessToken), [accessTokenQuery])

export const useCreateAutomationToken = () =>
  useSecurityChange(
    (body: api.NewAutomationToken) => call(api.createAutomationToken, { body }),
    [automationTokensQuery],
    IN_FORM,
  )

export const useRevokeAutomationToken = () =>
  useSecurityChange((id: number) => call(api.revokeAutomationToken, { params: { id } }), [automationTokensQuery])

export const useDeleteSelf = () =>
  useSecurityChange(
    async (username: string) => {
      await call(api.deleteSelf, { query: { username } })
      // The account is deleted. This only clears the cookie.
      await call(api.logout).catch(() => {})
    },
    [],
    IN_FORM,
  )
