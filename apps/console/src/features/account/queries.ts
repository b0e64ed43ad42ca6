import * as api from '@tidegate/contract/api'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { rememberUser } from '../../api/session.ts'

export const selfQuery = queryOptions({
  queryKey: ['self'],
  queryFn: async () => {
    const user = await call(api.getSelf)
    rememberUser(user)
    return user
  },
})

export const ownModelsQuery = queryOptions({ queryKey: ['own-models'], queryFn: () => call(api.listOwnModels) })

/** The form that saves tells of a refusal itself, beside the field. */
export function useUpdateSelf() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: api.BodyInput<typeof api.updateSelf>) => call(api.updateSelf, { body }),
    onSuccess: () => client.invalidateQueries(selfQuery),
    meta: { showsErrors: true },
  })
}

export type SettingChanges = api.BodyInput<typeof api.updateSetting>

/** Only what changed is sent: the server keeps the rest, also what another tab has saved meanwhile. */
export function useSaveSetting({ showsErrors = false } = {}) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: SettingChanges) => call(api.updateSetting, { body }),
    onSuccess: () => client.invalidateQueries(selfQuery),
    meta: { showsErrors },
  })
}
