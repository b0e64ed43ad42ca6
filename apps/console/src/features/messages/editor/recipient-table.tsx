import type { MessageRecipient } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import type { TableProps } from '../../../ui/kit/index.ts'
import { RowCard } from '../../../ui/row-card.tsx'
import { StatusTag } from '../../../ui/status-tag.tsx'
import { Time } from '../../../ui/time.tsx'
import styles from '../messages.module.css'
import { RECIPIENTS_PER_PAGE, recipientsQuery } from '../queries.ts'
import { SmallPages } from './small-pages.tsx'

/** Who has the message, and who has read it. */
export function RecipientTable({ id }: { id: number }) {
  const { t } = useTranslation('messages')
  const [page, setPage] = useState(1)
  const list = useQuery(recipientsQuery(id, page))
  const columns = useRecipientColumns()
  return (
    <section>
      <h3 className={styles.section}>{t('recipients.title')}</h3>
      <DataTable
        label={t('recipients.label')}
        rows={list.data?.items}
        rowKey={idOf}
        columns={columns}
        renderCard={(recipient) => <RecipientCard recipient={recipient} />}
        refreshing={list.isFetching && list.isPlaceholderData}
        error={list.error}
        onRetry={list.refetch}
        empty={<EmptyState title={t('recipients.empty')} />}
        footer={
          <SmallPages
            page={page}
            size={RECIPIENTS_PER_PAGE}
            shown={list.data?.items.length ?? 0}
            total={list.data?.total ?? 0}
            onTurn={setPage}
          />
        }
      />
    </section>
  )
}

const idOf = ({ user_id: id }: MessageRecipient) => id

function useRecipientColumns(): NonNullable<TableProps<MessageRecipient>['columns']> {
  const { t } = useTranslation('messages')
  return useMemo(
    () => [
      {
        key: 'id',
        title: t('recipients.columns.id'),
        align: 'right',
        render: (_, { user_id: id }) => <span className="number">{id}</span>,
      },
      { key: 'username', title: t('recipients.columns.username'), render: (_, { username }) => username || '–' },
      {
        key: 'displayName',
        title: t('recipients.columns.displayName'),
        render: (_, { display_name: name }) => name || '–',
      },
      { key: 'state', title: t('recipients.columns.state'), render: (_, { read_at: at }) => <ReadTag at={at} /> },
      { key: 'readAt', title: t('recipients.columns.readAt'), render: (_, { read_at: at }) => <ReadTime at={at} /> },
    ],
    [t],
  )
}

function RecipientCard({ recipient: { user_id: id, username, display_name: name, read_at: at } }: CardProps) {
  return (
    <RowCard
      title={
        <>
          {username || '–'} <span className="secondary number">#{id}</span>
        </>
      }
      aside={<ReadTag at={at} />}
    >
      <span className={styles.cardLine}>
        <span>{name}</span>
        {at !== null && <ReadTime at={at} />}
      </span>
    </RowCard>
  )
}

interface CardProps {
  recipient: MessageRecipient
}

function ReadTag({ at }: { at: string | null }) {
  const { t } = useTranslation('messages')
  return at === null ? (
    <StatusTag tone="neutral">{t('recipients.unread')}</StatusTag>
  ) : (
    <StatusTag tone="good">{t('recipients.read')}</StatusTag>
  )
}

function ReadTime({ at }: { at: string | null }) {
  if (at === null) return <span className="secondary">–</span>
  return <Time unixSeconds={Math.floor(new Date(at).getTime() / 1000)} exact />
}
