import * as api from '@tidegate/contract/api'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

export const aboutQuery = queryOptions({
  queryKey: ['about'],
  queryFn: ({ signal }) => call(api.getAbout, { signal }),
  staleTime: 60_000,
})
