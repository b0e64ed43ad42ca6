import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { Button, Input, Modal, Space, type InputRef } from '../../../ui/kit/index.ts'
import styles from '../coupons.module.css'
import { useCountByName, useDeleteByName } from '../mutations.ts'

interface Props {
  open: boolean
  onClose(): void
}

/** Asks for a name and says how many codes have it; only then can they be deleted. */
export function DeleteByNameDialog({ open, onClose }: Props) {
  const { t } = useTranslation('coupons')
  const { t: common } = useTranslation()
  const id = useId()
  const field = useRef<InputRef>(null)
  const [text, setText] = useState('')
  /** What was counted; another name has to be counted again. */
  const [found, setFound] = useState<{ name: string; count: number } | null>(null)
  const counting = useCountByName()
  const deletion = useDeleteByName()
  const name = text.trim()
  const count = found?.name === name ? found.count : null

  const look = () => {
    if (name === '') return toast.error(t('byName.blank'))
    counting.mutate(name, { onSuccess: (counted) => setFound({ name, count: counted }) })
  }
  const remove = () =>
    deletion.mutate(name, {
      onSuccess: (gone) => {
        toast.success(t('byName.deleted', { count: gone, name }))
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
          onPressEnter={look}
        />
        <Button loading={counting.isPending} onClick={look}>
          {t('byName.count')}
        </Button>
      </Space.Compact>
      <output id={`${id}-found`} className={styles.found} data-warns={Boolean(count) || undefined}>
        {words()}
      </output>
    </Modal>
  )

  function words(): string {
    if (count === null) return t('byName.hint')
    return count === 0 ? t('byName.none', { name }) : t('byName.found', { count, name })
  }
}
