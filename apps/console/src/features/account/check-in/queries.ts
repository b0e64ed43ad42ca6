import * as api from '@tidegate/contract/api'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { selfQuery } from '../queries.ts'

/** No sooner than this again, should the clocks of browser and server differ. */
const MIN_WAIT_MS = 60_000

export const checkInQuery = queryOptions({
  queryKey: ['check-in'],
  queryFn: () => call(api.getCheckInStatus),
  // A page left open overnight offers the new day's reward.
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
  return nextDay ? Math.max(Date.parse(nextDay) - Date.now(), MIN_WAIT_MS) : false
}
