import * as api from '@tidegate/contract/api'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

/** The newest enabled API token of the user with its prefix, or null. Never kept after its use. */
export const ownTokenQuery = queryOptions({
  queryKey: ['own-token'],
  queryFn: async ({ signal }) => {
    const tokens = await call(api.listTokens, { query: { p: 0, size: 100 }, signal })
    const enabled = tokens.find(({ status }) => status === api.TOKEN_STATUS.enabled)
    return enabled ? api.TOKEN_PREFIX + enabled.key : null
  },
  staleTime: 0,
  gcTime: 0,
})
