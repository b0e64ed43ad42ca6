import { TagsOutlined } from '@ant-design/icons'
import type { PricedModel } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { usePageState, useUrlState } from '../../lib/url-state.ts'
import { ResourceTable } from '../../components/resource/resource-table.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import { pricingQuery, usePriceReader } from './api.ts'
import { ModelCard, useModelColumns, usePriceContext } from './columns.tsx'
import { PricingFilters } from './filter-bar.tsx'
import { isPerCall } from './prices.ts'
import styles from './pricing.module.css'
import { isFiltered, NO_FILTERS, readView, selectModels, vendorsOf } from './pricing-filters.ts'

/** All offered models. The server sends the whole list, which is filtered and paged here. */
export default function PricingPage() {
  const { t } = useTranslation('pricing')
  const { search, change } = useUrlState()
  const { page, size, turn } = usePageState()
  const { userId, ownGroup } = usePriceReader()
  const list = useQuery(pricingQuery(userId))
  const ratios = list.data?.group_ratio ?? NO_RATIOS
  const view = readView(search)
  const { group, unit } = view
  const context = usePriceContext({ unit, ratios, group, ownGroup })
  const models = list.data?.data ?? []
  const hasBilling = new Set(models.map(isPerCall)).size > 1
  const hasGroups = new Set(models.map(({ enable_groups: groups }) => groups.toSorted().join())).size > 1
  const columns = useModelColumns(context, { hasBilling, hasGroups })
  const found = list.data && selectModels(list.data.data, view, { ratios, ownGroup })
  // The URL may name a page after the last one.
  const shownPage = Math.min(page, Math.max(1, Math.ceil((found?.length ?? 0) / size)))
  const rows = found?.slice((shownPage - 1) * size, shownPage * size)
  const filter = (changes: Record<string, string | null>) => change({ ...changes, page: null })
  return (
    <>
      <PageHeader title={t('title')} purpose={t('purpose')} />
      <PricingFilters
        view={view}
        vendors={vendorsOf(list.data?.data ?? [])}
        ratios={ratios}
        descriptions={list.data?.usable_group ?? {}}
        onChange={filter}
      />
      <p className={styles.note}>{t(unit === 'ratio' ? 'ratioNote' : 'priceNote', { group: group || ownGroup })}</p>
      <ResourceTable
        label={t('list')}
        rows={rows}
        rowKey={nameOf}
        columns={columns}
        renderCard={(model) => <ModelCard model={model} context={context} hasGroups={hasGroups} />}
        dense
        refreshing={false}
        error={list.error}
        onRetry={list.refetch}
        empty={empty()}
        footer={<Pager state={{ page: shownPage, size, turn }} shown={rows?.length ?? 0} total={found?.length ?? 0} />}
      />
    </>
  )

  function empty() {
    if (isFiltered(view)) {
      return (
        <EmptyState
          title={t('emptyFiltered.title')}
          hint={t('emptyFiltered.hint')}
          action={<Button onClick={() => filter(NO_FILTERS)}>{t('emptyFiltered.action')}</Button>}
        />
      )
    }
    return <EmptyState icon={<TagsOutlined aria-hidden />} title={t('empty.title')} hint={t('empty.hint')} />
  }
}

const NO_RATIOS: Readonly<Record<string, number>> = {}
const nameOf = ({ model_name: name }: PricedModel) => name
