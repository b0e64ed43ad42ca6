import { MailOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import type { UseQueryResult } from '@tanstack/react-query'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { LoadError } from '../../components/resource/load-error.tsx'
import { Button, Skeleton } from '../../ui/kit/index.ts'
import { InboxItem } from './inbox-item.tsx'
import styles from './inbox.module.css'
import type { InboxPage } from './queries.ts'

interface Props {
  list: UseQueryResult<InboxPage>
  page: number
  onFirstPage(): void
}

/** One page of messages in all its states. */
export function InboxList({ list, page, onFirstPage }: Props) {
  const { t } = useTranslation('inbox')
  const { data, error, isFetching, isPlaceholderData, refetch } = list
  if (!data && error) {
    return (
      <section className={styles.panel}>
        <LoadError title={t('loadFailed')} error={error} retrying={isFetching} onRetry={refetch} />
      </section>
    )
  }
  if (!data) return <LoadingItems />
  if (data.items.length === 0) return <section className={styles.panel}>{empty()}</section>
  const isLeaving = isFetching && isPlaceholderData
  return (
    <ul
      className={`${styles.panel} ${styles.list}`}
      aria-label={t('list')}
      aria-busy={isLeaving}
      data-refreshing={isLeaving || undefined}
    >
      {data.items.map((message) => (
        <InboxItem key={message.id} message={message} />
      ))}
    </ul>
  )

  function empty() {
    if (page === 1) {
      return <EmptyState icon={<MailOutlined aria-hidden />} title={t('empty.title')} hint={t('empty.hint')} />
    }
    return (
      <EmptyState
        title={t('emptyPage.title')}
        action={<Button onClick={onFirstPage}>{t('emptyPage.action')}</Button>}
      />
    )
  }
}

function LoadingItems() {
  const { t } = useTranslation()
  return (
    <output className={`${styles.panel} ${styles.loading}`} aria-label={t('loading')}>
      {[0, 1, 2, 3, 4].map((item) => (
        <div key={item} className={styles.loadingItem}>
          <Skeleton active title={{ width: '40%' }} paragraph={{ rows: 1, width: '85%' }} />
        </div>
      ))}
    </output>
  )
}
