import * as api from '@tidegate/contract/api'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

export const homeContentQuery = queryOptions({
  queryKey: ['home-page-content'],
  queryFn: ({ signal }) => call(api.getHomePageContent, { signal }),
  staleTime: 60_000,
})

/** Who asks matters: everybody sees the models of the groups they may use. */
export const offeredModelsQuery = (userId: number | null) =>
  queryOptions({
    queryKey: ['pricing', userId],
    queryFn: ({ signal }) => call(api.getPricing, { signal }),
    staleTime: 60_000,
  })
