import { DeleteOutlined, TagOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/kit/index.ts'
import { SelectionBar } from '../../../ui/selection-bar.tsx'
import { useConfirmDelete } from '../../../ui/use-confirm-delete.ts'
import { useDeleteChannels } from '../mutations.ts'
import { SetTagDialog } from './set-tag-dialog.tsx'

interface Props {
  ids: ReadonlySet<number>
  shownIds: readonly number[]
  onChange(ids: ReadonlySet<number>): void
  onLeave(): void
}

/** What can be done with the channels that are ticked. */
export function BatchSelection({ ids, shownIds, onChange, onLeave }: Props) {
  const { t } = useTranslation('channels')
  const confirmDelete = useConfirmDelete()
  const deletion = useDeleteChannels()
  const [tagging, setTagging] = useState(false)
  const clear = () => onChange(new Set())

  const remove = () => {
    if (ids.size === 0) return toast.error(t('selection.deleteNothing'))
    confirmDelete({
      title: t('selection.deleteTitle', { count: ids.size }),
      text: t('selection.deleteText'),
      onConfirm: async () => {
        const count = await deletion.mutateAsync([...ids])
        toast.success(t('selection.deleted', { count }))
        clear()
      },
    })
  }
  const setTag = () => {
    if (ids.size === 0) return toast.error(t('selection.tagNothing'))
    setTagging(true)
  }
  return (
    <>
      <SelectionBar
        count={ids.size}
        onSelectShown={() => onChange(new Set([...ids, ...shownIds]))}
        onClear={clear}
        onLeave={onLeave}
      >
        <Button icon={<TagOutlined aria-hidden />} onClick={setTag}>
          {t('selection.setTag')}
        </Button>
        <Button danger icon={<DeleteOutlined aria-hidden />} onClick={remove}>
          {t('selection.delete')}
        </Button>
      </SelectionBar>
      <SetTagDialog open={tagging} ids={ids} onClose={() => setTagging(false)} onDone={clear} />
    </>
  )
}
