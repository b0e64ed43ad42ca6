import { MailOutlined, PlusOutlined } from '@ant-design/icons'
import type { Message } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { stored } from '../../lib/stored.ts'
import { usePageState, useUrlState } from '../../lib/use-url-state.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Button } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pager } from '../../ui/pager.tsx'
import { FilterBar } from './list/filter-bar.tsx'
import { MessageCard } from './list/message-card.tsx'
import { useMessageActions } from './list/use-message-actions.ts'
import { useMessageColumns } from './list/use-message-columns.tsx'
import { MessageDrawers } from './message-drawers.tsx'
import { isFiltered, NO_FILTERS, readFilters, type MessageFilters } from './message-filters.ts'
import { messagesQuery } from './queries.ts'

export default function MessagesPage() {
  const { t } = useTranslation('messages')
  const { search, change } = useUrlState()
  const pages = usePageState(stored.messagePageSize)
  const filters = readFilters(search)
  const list = useQuery(messagesQuery({ filters, page: pages.page, size: pages.size }))
  const actions = useMessageActions((id) => change({ drawer: 'edit', id }))
  const columns = useMessageColumns(actions)
  const setFilters = (next: MessageFilters) => change({ ...next, page: null })
  const create = (
    <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => change({ drawer: 'create', id: null })}>
      {t('create')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('title')} purpose={t('purpose')} action={create} />
      <FilterBar filters={filters} onQuery={setFilters} onSame={() => void list.refetch()} />
      <DataTable
        label={t('list')}
        rows={list.data?.items}
        rowKey={idOf}
        columns={columns}
        renderCard={(message) => <MessageCard message={message} actions={actions} />}
        refreshing={list.isFetching && list.isPlaceholderData}
        error={list.error}
        onRetry={list.refetch}
        empty={empty()}
        footer={<Pager state={pages} shown={list.data?.items.length ?? 0} total={list.data?.total ?? 0} />}
      />
      <MessageDrawers />
    </>
  )

  function empty() {
    if (pages.page > 1) {
      return (
        <EmptyState
          title={t('emptyPage.title')}
          action={<Button onClick={() => pages.turn(1, pages.size)}>{t('emptyPage.action')}</Button>}
        />
      )
    }
    if (isFiltered(filters)) {
      return (
        <EmptyState
          title={t('emptyFiltered.title')}
          hint={t('emptyFiltered.hint')}
          action={<Button onClick={() => setFilters(NO_FILTERS)}>{t('emptyFiltered.action')}</Button>}
        />
      )
    }
    return (
      <EmptyState icon={<MailOutlined aria-hidden />} title={t('empty.title')} hint={t('empty.hint')} action={create} />
    )
  }
}

const idOf = ({ id }: Message) => id
