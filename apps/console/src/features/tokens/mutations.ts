import * as api from '@tidegate/contract/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

export const useCreateToken = () =>
  useListChange((body: api.BodyInput<typeof api.createToken>) => call(api.createToken, { body }))

export const useUpdateToken = () =>
  useListChange((body: api.BodyInput<typeof api.updateToken>) => call(api.updateToken, { body }))

export const useSetStatus = () =>
  useListChange((body: { id: number; status: number }) =>
    call(api.updateToken, { query: { status_only: 'true' }, body }),
  )

export const useDeleteToken = () => useListChange((id: number) => call(api.deleteToken, { params: { id } }))

/** The list is asked again before the change counts as done, and after a refusal too: what it showed may be old. */
function useListChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const client = useQueryClient()
  const askAgain = () => client.invalidateQueries({ queryKey: ['tokens'] })
  return useMutation({ mutationFn: change, onSuccess: askAgain, onError: () => void askAgain() })
}
