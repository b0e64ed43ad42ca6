import type { MessageFormat } from '@tidegate/contract/api'
import { useDeferredValue, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../../ui/kit/index.ts'
import { RichContent } from '../../../ui/rich-content/rich-content.tsx'
import styles from '../messages.module.css'

/** The message as recipients will see it, while it is written. Typing comes first. */
export function LivePreview() {
  const { t } = useTranslation('messages')
  const label = useId()
  const title = useDeferredValue(Form.useWatch<string | undefined>('title') ?? '').trim()
  const content = useDeferredValue(Form.useWatch<string | undefined>('content') ?? '')
  const format = Form.useWatch<MessageFormat | undefined>('format') ?? 'markdown'
  const isEmpty = title === '' && content.trim() === ''
  return (
    <section className={styles.preview} aria-labelledby={label}>
      <h3 id={label} className={styles.previewLabel}>
        {t('form.preview')}
      </h3>
      <div className={styles.previewBody}>
        {isEmpty && <p className="secondary">{t('form.previewEmpty')}</p>}
        {title !== '' && <p className={styles.previewTitle}>{title}</p>}
        <RichContent text={content} format={format} />
      </div>
    </section>
  )
}
