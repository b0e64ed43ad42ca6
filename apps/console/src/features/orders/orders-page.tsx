import { TransactionOutlined } from '@ant-design/icons'
import type { TopUpOrder } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageState, useUrlState } from '../../lib/use-url-state.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Button } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pager } from '../../ui/pager.tsx'
import { FilterBar } from './list/filter-bar.tsx'
import { OrderCard } from './list/order-card.tsx'
import { useOrderColumns } from './list/use-order-columns.tsx'
import { OpenOrder } from './open-order.tsx'
import { isFiltered, isUserId, NO_FILTERS, readFilters, type OrderFilters } from './order-filters.ts'
import { ordersQuery } from './queries.ts'

export default function OrdersPage() {
  const { t } = useTranslation('orders')
  const { search, change } = useUrlState()
  const pages = usePageState()
  const filters = readFilters(search)
  const list = useQuery(ordersQuery({ filters, page: pages.page, size: pages.size }))
  const open = useCallback((id: number) => change({ drawer: 'order', id }), [change])
  const columns = useOrderColumns(open)
  const setFilters = (changes: Partial<OrderFilters>) => change({ ...changes, page: null })
  const canBeAsked = isUserId(filters.user_id)
  const page = canBeAsked ? list.data : NOTHING
  return (
    <>
      <PageHeader title={t('title')} purpose={t('purpose')} />
      <FilterBar
        filters={filters}
        onChange={setFilters}
        onRefresh={() => canBeAsked && void list.refetch()}
        refreshing={list.isFetching}
      />
      <DataTable
        label={t('list')}
        rows={page?.items}
        rowKey={idOf}
        columns={columns}
        renderCard={(order) => <OrderCard order={order} onOpen={open} />}
        dense
        isFaded={isExpired}
        refreshing={list.isFetching && list.isPlaceholderData}
        error={list.error}
        onRetry={list.refetch}
        empty={empty()}
        footer={<Pager state={pages} shown={page?.items.length ?? 0} total={page?.total ?? 0} />}
      />
      <OpenOrder />
    </>
  )

  function empty() {
    const reset = <Button onClick={() => setFilters(NO_FILTERS)}>{t('emptyFiltered.action')}</Button>
    if (!canBeAsked) return <EmptyState title={t('noUserId.title')} hint={t('noUserId.hint')} action={reset} />
    if (pages.page > 1) {
      return (
        <EmptyState
          title={t('emptyPage.title')}
          action={<Button onClick={() => pages.turn(1, pages.size)}>{t('emptyPage.action')}</Button>}
        />
      )
    }
    if (isFiltered(filters))
      return <EmptyState title={t('emptyFiltered.title')} hint={t('emptyFiltered.hint')} action={reset} />
    return <EmptyState icon={<TransactionOutlined aria-hidden />} title={t('empty.title')} hint={t('empty.hint')} />
  }
}

/** For filters that no order could pass, so that nobody is asked. */
const NOTHING = { items: [], total: 0 }
const idOf = ({ id }: TopUpOrder) => id
const isExpired = ({ status, completed_at }: TopUpOrder) =>
  status === 'expired' || (status === 'failed' && completed_at === 0)
