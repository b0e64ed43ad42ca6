import * as api from '@tidegate/contract/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

export const useCreateMessage = () =>
  useListChange((body: api.BodyInput<typeof api.createMessage>) => call(api.createMessage, { body }))

export const useUpdateMessage = () =>
  useListChange(({ id, ...body }: { id: number } & api.BodyInput<typeof api.updateMessage>) =>
    call(api.updateMessage, { params: { id }, body }),
  )

export const useDeleteMessage = () => useListChange((id: number) => call(api.deleteMessage, { params: { id } }))

/** The list is asked again before the change counts as done, and after a refusal too: somebody else was faster. */
function useListChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const client = useQueryClient()
  const askAgain = () => client.invalidateQueries({ queryKey: ['messages'] })
  return useMutation({ mutationFn: change, onSuccess: askAgain, onError: () => void askAgain() })
}
