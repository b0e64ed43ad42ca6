import * as api from '@tidegate/contract/api'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

export const noticeQuery = queryOptions({
  queryKey: ['notice'],
  queryFn: ({ signal }) => call(api.getNotice, { signal }),
  staleTime: 5 * 60_000,
})
