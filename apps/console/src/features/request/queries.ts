import * as api from '@tidegate/contract/api'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

/** Everything known of one call; an administrator may ask about anybody's, and learns which channels were tried. */
export const trailQuery = (requestId: string, wholeSite: boolean) =>
  queryOptions({
    queryKey: ['request-trail', requestId, wholeSite],
    queryFn: ({ signal }) =>
      call(wholeSite ? api.getRequestTrail : api.getOwnRequestTrail, { query: { request_id: requestId }, signal }),
    staleTime: 0,
  })
