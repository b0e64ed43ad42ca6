import { ArrowLeftOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { ApiError } from '../../api/errors.ts'
import { toast } from '../../lib/toast.ts'
import { LoadError } from '../../components/resource/load-error.tsx'
import { Skeleton } from '../../ui/kit/index.ts'
import styles from './inbox.module.css'
import { MessageView } from './message-view.tsx'
import { INBOX_LISTS, inboxMessageQuery } from './queries.ts'
import { noteRead } from './read-state.ts'

export default function MessagePage() {
  const { t } = useTranslation('inbox')
  const { id: given = '' } = useParams()
  const inbox = useInboxAddress()
  const client = useQueryClient()
  const isNumber = /^\d{1,15}$/.test(given)
  const message = useQuery({ ...inboxMessageQuery(client, Number(given)), enabled: isNumber })
  const { data, error, isFetching, isPlaceholderData, refetch } = message
  const isMissing = !isNumber || (error instanceof ApiError && error.code === 'message_not_found')

  useLeaveWhen(isMissing, inbox)
  useEffect(() => {
    if (data && !isPlaceholderData) noteRead(client, data)
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
    return <Skeleton active title={{ width: '50%' }} paragraph={{ rows: 6 }} />
  }
}

/** The page of the list that the person came from. */
function useInboxAddress(): string {
  const { state } = useLocation()
  const search: unknown = (state as { inbox?: unknown } | null)?.inbox
  return `/app/inbox${typeof search === 'string' ? search : ''}`
}

/** Says that there is no such message, and goes back to the others. */
function useLeaveWhen(isMissing: boolean, inbox: string): void {
  const { t } = useTranslation('inbox')
  const navigate = useNavigate()
  const client = useQueryClient()
  useEffect(() => {
    if (!isMissing) return
    toast.error(t('missing'))
    void client.invalidateQueries({ queryKey: INBOX_LISTS }) // it may have been deleted a moment ago
    void navigate(inbox, { replace: true })
  }, [isMissing, inbox, client, navigate, t])
}
