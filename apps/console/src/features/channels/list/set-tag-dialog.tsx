import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { AutoComplete, Modal, type GetRef } from '../../../ui/kit/index.ts'
import styles from '../channels.module.css'
import { useTagChannels } from '../mutations.ts'
import { channelTagsQuery } from '../queries.ts'

interface Props {
  open: boolean
  ids: ReadonlySet<number>
  onClose(): void
  onDone(): void
}

/** Asks for one tag for all channels that are ticked. */
export function SetTagDialog({ open, ids, onClose, onDone }: Props) {
  const { t } = useTranslation('channels')
  const { t: common } = useTranslation()
  const tags = useQuery({ ...channelTagsQuery, enabled: open })
  const tagging = useTagChannels()
  const [tag, setTag] = useState('')
  const picked = useRef(false)
  const first = useRef<GetRef<typeof AutoComplete>>(null)

  const save = () => {
    const wanted = tag.trim()
    if (wanted === '') return toast.error(t('tagEmpty'))
    tagging.mutate(
      { ids: [...ids], tag: wanted },
      {
        onSuccess: (count) => {
          toast.success(t('selection.tagged', { count }))
          onClose()
          onDone()
        },
      },
    )
  }
  // Enter also takes a suggestion, which is not yet a wish to save.
  const saveUnlessPicked = () => {
    if (!picked.current) save()
    picked.current = false
  }
  return (
    <Modal
      title={t('selection.setTagTitle', { count: ids.size })}
      open={open}
      onCancel={onClose}
      onOk={save}
      okText={common('save')}
      cancelText={common('cancel')}
      confirmLoading={tagging.isPending}
      width={420}
      destroyOnHidden
      afterClose={() => setTag('')}
      afterOpenChange={(isOpen) => isOpen && first.current?.focus()}
    >
      <p className="secondary">{t('selection.setTagHint')}</p>
      <AutoComplete
        className={styles.wide}
        aria-label={t('columns.tag')}
        placeholder={t('columns.tag')}
        ref={first}
        value={tag}
        onChange={setTag}
        showSearch={{ filterOption: true }}
        options={(tags.data ?? []).map((known) => ({ value: known }))}
        defaultActiveFirstOption={false} // what was typed must not become the first suggestion
        onSelect={() => {
          picked.current = true
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') queueMicrotask(saveUnlessPicked)
        }}
      />
    </Modal>
  )
}
