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

/** The form shows errors itself. */
export function useUpdateSelf() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: api.BodyInput<typeof api.updateSelf>) => call(api.updateSelf, { body }),
    onSuccess: () => client.invalidateQueries(selfQuery),
    meta: { showsErrors: true },
  })
}

export type SettingChanges = api.BodyInput<typeof api.updateSetting>

/** Sends only changed settings, so that changes of another tab are kept. */
export function useSaveSetting({ showsErrors = false } = {}) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: SettingChanges) => call(api.updateSetting, { body }),
    onSuccess: () => client.invalidateQueries(selfQuery),
    meta: { showsErrors },
  })
}

/** Minimum, because the clocks of browser and server can differ. */
const MIN_REFETCH_MS = 60_000

export const checkInQuery = queryOptions({
  queryKey: ['check-in'],
  queryFn: () => call(api.getCheckInStatus),
  // A page that stays open overnight offers the next reward.
  refetchInterval: ({ state }) => untilNextDay(state.data?.next_check_in_at),
})

export function useCheckIn() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (turnstile: string) => call(api.checkIn, { query: { turnstile } }),
    onSettled: () => Promise.all([client.invalidateQueries(checkInQuery), client.invalidateQueries(selfQuery)]),
    meta: { showsErrors: true },
  })
}

function untilNextDay(nextDay: string | null | undefined): number | false {
  return nextDay ? Math.max(Date.parse(nextDay) - Date.now(), MIN_REFETCH_MS) : false
}

export const inviteCodeQuery = queryOptions({
  queryKey: ['invite-code'],
  queryFn: () => call(api.getInviteCode),
  staleTime: Infinity,
})

export function useTransferEarnings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (quota: number) => call(api.transferEarnings, { body: { quota } }),
    // After an error too, because the transfer may have succeeded without a response.
    onSettled: () => client.invalidateQueries(selfQuery),
  })
}
