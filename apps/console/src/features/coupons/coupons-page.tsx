import { GiftOutlined, PlusOutlined } from '@ant-design/icons'
import type { Redemption } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { usePageState, useUrlState } from '../../lib/use-url-state.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Button } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pager } from '../../ui/pager.tsx'
import { CouponDrawers } from './coupon-drawers.tsx'
import { isOutOfUse } from './coupon-state.ts'
import styles from './coupons.module.css'
import { CouponActionsContext, useCouponActions } from './list/coupon-actions.ts'
import { CouponCard } from './list/coupon-card.tsx'
import { FilterBar } from './list/filter-bar.tsx'
import { SelectedCoupons } from './list/selected-coupons.tsx'
import { useCouponColumns } from './list/use-coupon-columns.tsx'
import { useSelection } from './list/use-selection.ts'
import { couponsQuery } from './queries.ts'

export default function CouponsPage() {
  const { t } = useTranslation('coupons')
  const { search, change } = useUrlState()
  const pages = usePageState()
  const keyword = (search.get('keyword') ?? '').trim()
  const list = useQuery(couponsQuery({ keyword, page: pages.page, size: pages.size }))
  const columns = useCouponColumns()
  const selection = useSelection(list.data?.items)
  const actions = useCouponActions({ edit: (id) => change({ drawer: 'edit', id }), onDeleted: selection.drop })
  const setKeyword = (next: string) => change({ keyword: next, page: null })
  const add = (
    <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => change({ drawer: 'create', id: null })}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('title')} purpose={t('purpose')} action={add} />
      <div className={styles.above} data-selecting={selection.isOn || undefined}>
        <FilterBar
          keyword={keyword}
          onChange={setKeyword}
          onSelect={selection.start}
          onRefresh={() => void list.refetch()}
          refreshing={list.isFetching}
        />
        {selection.isOn && <SelectedCoupons selection={selection} />}
      </div>
      <CouponActionsContext value={actions}>
        <DataTable
          label={t('list')}
          rows={list.data?.items}
          rowKey={idOf}
          columns={columns}
          renderCard={(coupon) => <CouponCard coupon={coupon} />}
          dense
          isFaded={isOutOfUse}
          {...(selection.ticks && { ticks: selection.ticks })}
          refreshing={list.isFetching && list.isPlaceholderData}
          error={list.error}
          onRetry={list.refetch}
          empty={empty()}
          footer={<Pager state={pages} shown={list.data?.items.length ?? 0} total={list.data?.total ?? 0} />}
        />
      </CouponActionsContext>
      <CouponDrawers />
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
    if (keyword !== '') {
      return (
        <EmptyState
          title={t('emptyFiltered.title')}
          hint={t('emptyFiltered.hint')}
          action={<Button onClick={() => setKeyword('')}>{t('emptyFiltered.action')}</Button>}
        />
      )
    }
    return (
      <EmptyState icon={<GiftOutlined aria-hidden />} title={t('empty.title')} hint={t('empty.hint')} action={add} />
    )
  }
}

const idOf = ({ id }: Redemption) => id
