import * as api from '@tidegate/contract/api'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'

export const announcementQuery = queryOptions({
  queryKey: ['notice'],
  queryFn: ({ signal }) => call(api.getNotice, { signal }),
  staleTime: 5 * 60_000,
})
