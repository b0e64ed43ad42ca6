import type * as api from '@tidegate/contract/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from '../../lib/toast.ts'
import { attentionQuery } from './api.ts'

/** Removes an item from the list and offers to undo the change. */
export function useResolve(item: api.AttentionItem) {
  const client = useQueryClient()
  const undoing = useMutation({
    mutationFn: (undo: () => Promise<unknown>) => undo(),
    onSettled: () => client.invalidateQueries({ queryKey: attentionQuery.queryKey }),
  })
  return (text: string, undo: () => Promise<unknown>) => {
    client.setQueryData(attentionQuery.queryKey, (sections) => sections && without(sections, item))
    toast.undo(text, () => undoing.mutate(undo))
  }
}

function without(sections: api.Attention, item: api.AttentionItem): api.Attention {
  return sections
    .map((section) =>
      section.kind === item.kind
        ? {
            ...section,
            total: section.total - 1,
            items: section.items.filter(
              (other) => other.channel_id !== item.channel_id || other.option !== item.option,
            ),
          }
        : section,
    )
    .filter(({ total }) => total > 0)
}
