import * as api from '@tidegate/contract/api'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { storeStatus } from '../lib/stored.ts'

/** The public status of the server. Loaded once per page. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: async () => {
    const status = await call(api.getStatus)
    storeStatus(status)
    return status
  },
  staleTime: Infinity,
})

/** For components inside the shell, which renders after the status is loaded. */
export function useStatus(): api.Status {
  const { data } = useQuery(statusQuery)
  if (!data) throw new Error('The status is not loaded yet.')
  return data
}

export const DEFAULT_LOGO = '/logo.png'
export const DEFAULT_NAME = 'Tidegate'
