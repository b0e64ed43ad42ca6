import type { InboxMessage } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { formatExactTime } from '../../lib/format.ts'
import { RichContent, type RichFormat } from '../../ui/content/rich-content.tsx'
import { StatusTag } from '../../ui/feedback/status-tag.tsx'
import styles from './inbox.module.css'

/** A whole message, in the form that its writer gave it. */
export function MessageView({ message }: { message: InboxMessage }) {
  const { t } = useTranslation('inbox')
  const { title, content, format, created_at: sentAt, read_at: readAt } = message
  return (
    <>
      <header className={styles.head}>
        <h1 className={styles.heading}>{title}</h1>
        <p className={styles.facts}>
          {format !== 'markdown' && (
            <StatusTag tone="info" plain>
              {t('format', { format: format.toUpperCase() })}
            </StatusTag>
          )}
          <time dateTime={sentAt}>{t('sent', { time: exactly(sentAt) })}</time>
          {readAt !== null && <time dateTime={readAt}>{t('read', { time: exactly(readAt) })}</time>}
        </p>
      </header>
      {content.trim() === '' ? (
        <p className="secondary">{t('noContent')}</p>
      ) : (
        <RichContent text={content} format={richFormat(format)} />
      )}
    </>
  )
}

/** A format of a later version is shown as it is written. */
function richFormat(format: string): RichFormat {
  return format === 'markdown' || format === 'html' ? format : 'text'
}

const exactly = (time: string) => formatExactTime(new Date(time).getTime() / 1000)
