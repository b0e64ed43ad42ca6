import * as api from '@tidegate/contract/api'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

/** The same list that the price page shows, with what is known of each model. */
export const offersQuery = (userId: number) =>
  queryOptions({
    queryKey: ['pricing', userId],
    queryFn: ({ signal }) => call(api.getPricing, { signal }),
    staleTime: 60_000,
  })

export const ownGroupsQuery = queryOptions({
  queryKey: ['own-groups'],
  queryFn: () => call(api.listOwnGroups),
  staleTime: 60_000,
})
