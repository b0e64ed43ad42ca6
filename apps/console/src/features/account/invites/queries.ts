import * as api from '@tidegate/contract/api'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { selfQuery } from '../queries.ts'

export const inviteCodeQuery = queryOptions({
  queryKey: ['invite-code'],
  queryFn: () => call(api.getInviteCode),
  staleTime: Infinity,
})

export function useTransferEarnings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (quota: number) => call(api.transferEarnings, { body: { quota } }),
    // Also after a failure: an answer that was lost on the way may have been a yes.
    onSettled: () => client.invalidateQueries(selfQuery),
  })
}
