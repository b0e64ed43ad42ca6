import * as api from '@tidegate/contract/api'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'

/** The key of the newest token that is enabled, with its prefix; null when there is none. */
export const chatKeyQuery = queryOptions({
  queryKey: ['chat-key'],
  queryFn: async ({ signal }) => {
    const tokens = await call(api.listTokens, { query: { p: 0, size: 100 }, signal })
    const enabled = tokens.find(({ status }) => status === api.TOKEN_STATUS.enabled)
    return enabled ? api.TOKEN_PREFIX + enabled.key : null
  },
  staleTime: 0,
  gcTime: 0,
})
