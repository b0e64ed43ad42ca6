import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query'

/**
 * A change from a list, such as enabling a row. Reloads the queries under the key before it counts as done, and after a
 * failure too: the list may be out of date.
 */
export function useChange<Input, Reply>(reloads: QueryKey, change: (input: Input) => Promise<Reply>) {
  const client = useQueryClient()
  const reload = () => client.invalidateQueries({ queryKey: reloads })
  return useMutation({ mutationFn: change, onSuccess: reload, onError: () => void reload() }).mutateAsync
}
