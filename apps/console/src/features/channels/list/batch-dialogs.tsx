import { CHANNEL_LIMITS } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { AutoComplete, InputNumber, Modal, type GetRef } from '../../../ui/kit/index.ts'
import { channelTagsQuery, useSetNumbers, useTagChannels, type NumberField } from '../api.ts'
import styles from '../channels.module.css'
import type { BatchDialog } from './batch.tsx'

interface Props extends DialogProps {
  /** Null while none is open. */
  dialog: BatchDialog | null
  onDone(): void
}

/** Dialogs that set the tag, priority or weight of the selected channels. */
export default function BatchDialogs({ dialog, ids, onClose, onDone }: Props) {
  return (
    <>
      <SetTagDialog open={dialog === 'tag'} ids={ids} onClose={onClose} onDone={onDone} />
      {dialog !== null && dialog !== 'tag' && <NumberDialog field={dialog} ids={ids} onClose={onClose} />}
    </>
  )
}

interface DialogProps {
  ids: number[]
  onClose(): void
}

function NumberDialog({ field, ids, onClose }: DialogProps & { field: NumberField }) {
  const { t } = useTranslation('channels')
  const { t: common } = useTranslation()
  const change = useSetNumbers()
  const [value, setValue] = useState<number | null>(null)
  const input = useRef<GetRef<typeof InputNumber>>(null)
  const save = () => {
    if (value === null) return input.current?.focus()
    change.mutate(
      { ids, field, value },
      {
        onSuccess: (count) => {
          toast.success(t(`selection.${field}Set`, { count, value }))
          onClose()
        },
      },
    )
  }
  return (
    <Modal
      title={t(`selection.${field}Title`, { count: ids.length })}
      open
      onCancel={onClose}
      onOk={save}
      okText={common('save')}
      cancelText={common('cancel')}
      confirmLoading={change.isPending}
      width={420}
      afterOpenChange={(isOpen) => isOpen && input.current?.focus()}
    >
      <p className="secondary">{t(`form.${field}Hint`)}</p>
      <InputNumber<number>
        ref={input}
        className={styles.wide}
        aria-label={t(`columns.${field}`)}
        min={field === 'weight' ? 0 : CHANNEL_LIMITS.minPriority}
        precision={0}
        value={value}
        onChange={setValue}
        onPressEnter={save}
      />
    </Modal>
  )
}

function SetTagDialog({ open, ids, onClose, onDone }: DialogProps & { open: boolean; onDone(): void }) {
  const { t } = useTranslation('channels')
  const { t: common } = useTranslation()
  const tags = useQuery({ ...channelTagsQuery, enabled: open })
  const tagging = useTagChannels()
  const [tag, setTag] = useState('')
  const picked = useRef(false)
  const first = useRef<GetRef<typeof AutoComplete>>(null)

  const save = () => {
    const text = tag.trim()
    if (text === '') return toast.error(t('tagEmpty'))
    tagging.mutate(
      { ids, tag: text },
      {
        onSuccess: (count) => {
          toast.success(t('selection.tagged', { count }))
          onClose()
          onDone()
        },
      },
    )
  }
  // Enter also selects a suggestion, which must not save the form.
  const saveUnlessPicked = () => {
    if (!picked.current) save()
    picked.current = false
  }
  return (
    <Modal
      title={t('selection.setTagTitle', { count: ids.length })}
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
        defaultActiveFirstOption={false} // Enter must save the typed text, not the first suggestion
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
