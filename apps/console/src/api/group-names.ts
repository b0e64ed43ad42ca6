import * as api from '@tidegate/contract/api'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

/** The groups of the site, for administrators to choose from. */
export const groupNamesQuery = queryOptions({
  queryKey: ['group-names'],
  queryFn: () => call(api.listGroups),
  staleTime: 60_000,
})
