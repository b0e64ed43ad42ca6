import type { Message } from '@tidegate/contract/api'
import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { useConfirmDelete } from '../../../ui/use-confirm-delete.ts'
import { useDeleteMessage } from '../mutations.ts'

export interface MessageActions {
  edit(id: number): void
  /** Says what will be lost, and acts after a yes. */
  remove(message: Message): void
}

/** The same object for the life of the list, so that rows are not drawn anew whenever the page is. */
export function useMessageActions(edit: (id: number) => void): MessageActions {
  const { t } = useTranslation('messages')
  const confirmDelete = useConfirmDelete()
  const deletion = useDeleteMessage().mutateAsync
  const remove = ({ id, title, state, stats }: Message) =>
    confirmDelete({
      title: t('delete.title', { id }),
      text:
        state === 'scheduled'
          ? t('delete.waitingText', { title })
          : t('delete.text', { title, count: formatCount(stats.total_recipients) }),
      onConfirm: async () => {
        await deletion(id)
        toast.success(t('delete.done'))
      },
    })
  const latest = useRef({ edit, remove })
  useEffect(() => {
    latest.current = { edit, remove }
  })
  return useMemo(
    () => ({
      edit: (id) => latest.current.edit(id),
      remove: (message) => latest.current.remove(message),
    }),
    [],
  )
}
