import * as api from '@tidegate/contract/api'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'

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
  select: groupsWithRatio,
  staleTime: 60_000,
})

/** Groups that models are listed by: `auto` is none of them. */
function groupsWithRatio(groups: Record<string, api.UsableGroup>): Record<string, { desc: string; ratio: number }> {
  return Object.fromEntries(
    Object.entries(groups).flatMap(([name, { desc, ratio }]) => (ratio === undefined ? [] : [[name, { desc, ratio }]])),
  )
}
