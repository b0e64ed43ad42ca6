import { ArrowLeftOutlined } from '@ant-design/icons'
import type { InboxMessage } from '@tidegate/contract/api'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { ApiError } from '../../api/errors.ts'
import { LoadError } from '../../components/resource/load-error.tsx'
import { formatExactTime } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { RichContent, type RichFormat } from '../../ui/content/rich-content.tsx'
import { StatusTag } from '../../ui/feedback/status-tag.tsx'
import { inboxMessageQuery, markAsRead } from './api.ts'
import styles from './inbox.module.css'
import { INBOX_LISTS } from './unread.ts'

export default function MessagePage() {
  const { t } = useTranslation('inbox')
  const { id: parameter = '' } = useParams()
  const inbox = useInboxAddress()
  const client = useQueryClient()
  const isNumber = /^\d{1,15}$/.test(parameter)
  const message = useQuery({ ...inboxMessageQuery(client, Number(parameter)), enabled: isNumber })
  const { data, error, isFetching, isPlaceholderData, refetch } = message
  const isMissing = !isNumber || (error instanceof ApiError && error.code === 'message_not_found')

  useReturnIfMissing(isMissing, inbox)
  useEffect(() => {
    if (data && !isPlaceholderData) markAsRead(client, data)
  }, [client, data, isPlaceholderData])

  return (
    <article className={styles.message}>
      <Link className={styles.back} to={inbox}>
        <ArrowLeftOutlined aria-hidden /> {t('back')}
      </Link>
      <div className={`${styles.panel} ${styles.sheet}`}>{content()}</div>
    </article>
  )

  function content() {
    if (data && !isMissing) return <MessageView message={data} />
    if (error && !isMissing) {
      return <LoadError title={t('loadFailed')} error={error} retrying={isFetching} onRetry={refetch} />
    }
    return <SkeletonLines lines={6} title />
  }
}

/** The page of the list that the user came from. */
function useInboxAddress(): string {
  const { state } = useLocation()
  const search: unknown = (state as { inbox?: unknown } | null)?.inbox
  return `/app/inbox${typeof search === 'string' ? search : ''}`
}

/** Shows that the message does not exist and returns to the inbox. */
function useReturnIfMissing(isMissing: boolean, inbox: string): void {
  const { t } = useTranslation('inbox')
  const navigate = useNavigate()
  const client = useQueryClient()
  useEffect(() => {
    if (!isMissing) return
    toast.error(t('missing'))
    void client.invalidateQueries({ queryKey: INBOX_LISTS }) // it may have just been deleted
    void navigate(inbox, { replace: true })
  }, [isMissing, inbox, client, navigate, t])
}

function MessageView({ message }: { message: InboxMessage }) {
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
          <time dateTime={sentAt}>{t('sent', { time: exactTime(sentAt) })}</time>
          {readAt !== null && <time dateTime={readAt}>{t('read', { time: exactTime(readAt) })}</time>}
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

/** An unknown format of a later version is shown as plain text. */
function richFormat(format: string): RichFormat {
  return format === 'markdown' || format === 'html' ? format : 'text'
}

const exactTime = (time: string) => formatExactTime(new Date(time).getTime() / 1000)
