import { ApiOutlined, PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { ColumnSettings } from '../../ui/column-settings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Button } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { ChannelDrawers } from './channel-drawers.tsx'
import styles from './channels.module.css'
import { BatchMenu } from './list/batch-menu.tsx'
import { BatchSelection } from './list/batch-selection.tsx'
import { isFiltered, NO_FILTERS } from './list/channel-filters.ts'
import { ChannelsTable } from './list/channels-table.tsx'
import { COLUMN_KEYS, useColumnChoice } from './list/column-choice.ts'
import { FilterBar } from './list/filter-bar.tsx'
import { SweepNotice } from './list/sweep-notice.tsx'
import { useSweep } from './list/sweeps.ts'
import { Toolbar } from './list/toolbar.tsx'
import { useListRows } from './list/use-list-rows.ts'
import { useListState } from './list/use-list-state.ts'
import { channelsQuery } from './queries.ts'

export default function ChannelsPage() {
  const { t } = useTranslation('channels')
  const state = useListState()
  const { filters, pages, change } = state
  const question = { filters, page: pages.page, size: pages.size, idSort: state.idSort, tagMode: state.tagMode }
  const list = useQuery(channelsQuery(question))
  const view = useListRows(list.data, question)
  const columns = useColumnChoice()
  const tests = useSweep('tests')
  const balances = useSweep('balances')
  const [choosingColumns, setChoosingColumns] = useState(false)
  /** Null while there are no boxes to tick. */
  const [ticked, setTicked] = useState<ReadonlySet<number> | null>(null)

  const refresh = () =>
    void list.refetch().then(({ isError }) => {
      if (isError) toast.error(t('refreshFailed'))
    })
  const add = (
    <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => change({ drawer: 'create', id: null })}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('title')} purpose={t('purpose')} action={add} />
      <div className={styles.above} data-selecting={ticked !== null || undefined}>
        <FilterBar filters={filters} onChange={state.setFilters} onQuery={refresh} querying={list.isFetching} />
        {ticked !== null && (
          <BatchSelection ids={ticked} shownIds={view.ids} onChange={setTicked} onLeave={() => setTicked(null)} />
        )}
      </div>
      <Toolbar
        state={state}
        selecting={ticked !== null}
        onSelecting={(selecting) => setTicked(selecting ? new Set() : null)}
        onRefresh={refresh}
        refreshing={list.isFetching}
        onColumns={() => setChoosingColumns(true)}
        batchMenu={
          <BatchMenu
            tests={tests}
            balances={balances}
            onVirtualModels={() => change({ drawer: 'virtual-models', id: null })}
          />
        }
      />
      <SweepNotice kind="tests" sweep={tests} />
      <SweepNotice kind="balances" sweep={balances} />
      <ChannelsTable
        view={view}
        pages={pages}
        columns={columns.shown}
        refreshing={list.isFetching && list.isPlaceholderData}
        error={list.error}
        onRetry={list.refetch}
        ticked={ticked}
        onTick={setTicked}
        onOpen={(drawer, about) => change({ drawer, id: null, tag: null, ...about })}
        empty={empty()}
      />
      <ColumnSettings
        open={choosingColumns}
        onClose={() => setChoosingColumns(false)}
        columns={COLUMN_KEYS.map((key) => ({ key, title: t(`columns.${key}`), shown: columns.shown[key] }))}
        onChange={columns.choose}
        onReset={columns.reset}
      />
      <ChannelDrawers />
    </>
  )

  function empty() {
    if (isFiltered(filters)) {
      return (
        <EmptyState
          title={t('emptyFiltered.title')}
          hint={t('emptyFiltered.hint')}
          action={<Button onClick={() => state.setFilters(NO_FILTERS)}>{t('emptyFiltered.action')}</Button>}
        />
      )
    }
    if (pages.page > 1) {
      return (
        <EmptyState
          title={t('emptyPage.title')}
          action={<Button onClick={() => pages.turn(1, pages.size)}>{t('emptyPage.action')}</Button>}
        />
      )
    }
    return (
      <EmptyState icon={<ApiOutlined aria-hidden />} title={t('empty.title')} hint={t('empty.hint')} action={add} />
    )
  }
}
