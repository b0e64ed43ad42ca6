import { CheckOutlined, MailOutlined } from '@ant-design/icons'
import type { InboxMessage } from '@tidegate/contract/api'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { LoadError } from '../../components/resource/load-error.tsx'
import { formatExactTime } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { useUrlState, type PageState } from '../../lib/url-state.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button, Tooltip } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import { INBOX_PAGE_SIZE, inboxQuery, useReadAll, type InboxMessages } from './api.ts'
import styles from './inbox.module.css'
import { messageTime } from './message-time.ts'
import { useUnreadCount } from './unread.ts'

export default function InboxPage() {
  const { t } = useTranslation('inbox')
  const pages = useInboxPages()
  const query = useQuery(inboxQuery(pages.page))
  const { items = [], total = 0 } = query.data ?? {}
  return (
    <>
      <PageHeader title={t('title')} purpose={t('purpose')} action={<ReadAllButton />} />
      <MessageList query={query} pages={pages} />
      {query.data && <Pager state={pages} shown={items.length} total={total} isFixed jumps />}
    </>
  )
}

/** The page in the URL. The page size is fixed. */
function useInboxPages(): PageState {
  const { search, change } = useUrlState()
  const page = Number(search.get('page'))
  return {
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    size: INBOX_PAGE_SIZE,
    turn: (next) => change({ page: next > 1 ? next : null }),
  }
}

function ReadAllButton() {
  const { t } = useTranslation('inbox')
  const unread = useUnreadCount()
  const readAll = useReadAll()
  const start = () =>
    readAll.mutate(undefined, {
      onSuccess: (count) => toast.success(count === 0 ? t('readAllNothing') : t('readAllDone', { count })),
    })
  return (
    <Button icon={<CheckOutlined aria-hidden />} loading={readAll.isPending} disabled={unread === 0} onClick={start}>
      {t('readAll')}
    </Button>
  )
}

interface ListProps {
  query: UseQueryResult<InboxMessages>
  pages: PageState
}

/** Messages are links of two lines at every width, so they are not a table. */
function MessageList({ query, pages }: ListProps) {
  const { t } = useTranslation('inbox')
  const { t: common } = useTranslation()
  const { data, error, isFetching, isPlaceholderData, refetch } = query
  if (!data && error) {
    return (
      <section className={styles.panel}>
        <LoadError title={t('loadFailed')} error={error} retrying={isFetching} onRetry={refetch} />
      </section>
    )
  }
  if (!data) return <LoadingItems />
  if (data.items.length === 0) return <section className={styles.panel}>{emptyState()}</section>
  const isRefreshing = isFetching && isPlaceholderData
  return (
    <ul
      className={`${styles.panel} ${styles.list}`}
      aria-label={t('list')}
      aria-busy={isRefreshing}
      data-refreshing={isRefreshing || undefined}
    >
      {data.items.map((message) => (
        <MessageItem key={message.id} message={message} />
      ))}
    </ul>
  )

  function emptyState() {
    if (pages.page === 1) {
      return <EmptyState icon={<MailOutlined aria-hidden />} title={t('empty.title')} hint={t('empty.hint')} />
    }
    return (
      <EmptyState
        title={common('list.pageEmpty')}
        action={<Button onClick={() => pages.turn(1, pages.size)}>{common('list.firstPage')}</Button>}
      />
    )
  }
}

function MessageItem({ message }: { message: InboxMessage }) {
  const { t } = useTranslation('inbox')
  const { search } = useLocation()
  return (
    <li className={styles.item} data-unread={!message.is_read || undefined}>
      <Link className={styles.opener} to={`/app/inbox/${message.id}`} state={{ inbox: search }}>
        <span className={styles.top}>
          <span className={styles.title}>{message.title}</span>
          {!message.is_read && <span className={styles.badge}>{t('unread')}</span>}
          <span className={styles.time}>
            <SentTime at={message.created_at} />
          </span>
        </span>
        {message.preview !== '' && <span className={styles.preview}>{message.preview}</span>}
      </Link>
    </li>
  )
}

/** A short time, with the exact time as a tooltip. */
function SentTime({ at }: { at: string }) {
  const { i18n } = useTranslation()
  const time = new Date(at)
  return (
    <Tooltip title={formatExactTime(time.getTime() / 1000)}>
      <time className="number" dateTime={at}>
        {messageTime(time, i18n.resolvedLanguage ?? 'en')}
      </time>
    </Tooltip>
  )
}

function LoadingItems() {
  const { t } = useTranslation()
  return (
    <output className={`${styles.panel} ${styles.loading}`} aria-label={t('loading')}>
      {[0, 1, 2, 3, 4].map((item) => (
        <div key={item} className={styles.loadingItem}>
          <SkeletonLines lines={1} title />
        </div>
      ))}
    </output>
  )
}
