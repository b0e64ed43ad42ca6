import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { Button, Input, Modal, Space, type InputRef } from '../../ui/kit/index.ts'
import styles from './codes.module.css'
import { CODES, countCodesByName, deleteCodesByName } from './api.ts'

interface Props {
  open: boolean
  onClose(): void
}

/** Deletes all codes with a name, after it has shown their number. */
export function DeleteByNameDialog({ open, onClose }: Props) {
  const { t } = useTranslation('coupons')
  const { t: common } = useTranslation()
  const id = useId()
  const client = useQueryClient()
  const field = useRef<InputRef>(null)
  const [text, setText] = useState('')
  /** Another name needs another count. */
  const [found, setFound] = useState<{ name: string; count: number } | null>(null)
  const counting = useMutation({ mutationFn: countCodesByName })
  const deletion = useMutation({
    mutationFn: deleteCodesByName,
    onSettled: () => client.invalidateQueries({ queryKey: CODES }),
  })
  const name = text.trim()
  const count = found?.name === name ? found.count : null

  const countCodes = () => {
    if (name === '') return toast.error(t('byName.blank'))
    counting.mutate(name, { onSuccess: (counted) => setFound({ name, count: counted }) })
  }
  const remove = () =>
    deletion.mutate(name, {
      onSuccess: (deleted) => {
        toast.success(t('byName.deleted', { count: deleted, name }))
        onClose()
      },
    })
  return (
    <Modal
      title={t('byName.title')}
      open={open}
      onCancel={() => !deletion.isPending && onClose()}
      width={440}
      destroyOnHidden
      afterClose={() => {
        setText('')
        setFound(null)
      }}
      afterOpenChange={(isOpen) => isOpen && field.current?.focus()}
      footer={[
        <Button key="cancel" onClick={onClose} disabled={deletion.isPending}>
          {common('cancel')}
        </Button>,
        <Button key="delete" type="primary" danger disabled={!count} loading={deletion.isPending} onClick={remove}>
          {count ? t('byName.delete', { count }) : common('delete')}
        </Button>,
      ]}
    >
      <label className={styles.label} htmlFor={id}>
        {t('byName.name')}
      </label>
      <Space.Compact block>
        <Input
          id={id}
          ref={field}
          value={text}
          autoComplete="off"
          aria-describedby={`${id}-found`}
          onChange={(event) => setText(event.target.value)}
          onPressEnter={countCodes}
        />
        <Button loading={counting.isPending} onClick={countCodes}>
          {t('byName.count')}
        </Button>
      </Space.Compact>
      <output id={`${id}-found`} className={styles.found} data-warns={Boolean(count) || undefined}>
        {resultText()}
      </output>
    </Modal>
  )

  function resultText(): string {
    if (count === null) return t('byName.hint')
    return count === 0 ? t('byName.none', { name }) : t('byName.found', { count, name })
  }
}
