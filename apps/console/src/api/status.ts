import * as api from '@tidegate/contract/api'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { storeStatus } from '../lib/stored.ts'

/** What the server says about itself. Read at start, kept for the life of the page. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: async () => {
    const status = await call(api.getStatus)
    storeStatus(status)
    return status
  },
  staleTime: Infinity,
})

/** For everything drawn inside the shell, which waits for the status. */
export function useStatus(): api.Status {
  const { data } = useQuery(statusQuery)
  if (!data) throw new Error('The status is not loaded yet.')
  return data
}

export const DEFAULT_LOGO = '/logo.png'
export const DEFAULT_NAME = 'Tidegate'
