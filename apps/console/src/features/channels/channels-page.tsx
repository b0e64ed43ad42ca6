import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { stored } from '../../lib/stored.ts'
import { usePageState, useUrlState } from '../../lib/url-state.ts'
import { useIsNarrow, useIsPhone } from '../../lib/use-media.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { useFilters } from '../../ui/filters/define-filters.ts'
import { Button, Segmented } from '../../ui/kit/index.ts'
import { PageHeader, PhoneActions } from '../../ui/page/page-header.tsx'
import { channelsQuery } from './api.ts'
import { ChannelDrawers } from './channel-drawers.tsx'
import styles from './channels.module.css'
import { channelFilters, useListOrder } from './filters.ts'
import { ChannelActionsContext, useChannelActions } from './list/actions.tsx'
import { BatchMenu, useBatch } from './list/batch.tsx'
import { ChannelList } from './list/channel-list.tsx'
import { channelsOf, useChannelSelection, useRows } from './list/rows.ts'
import { SweepNotice, useSweep } from './list/sweeps.tsx'
import { useListKeys } from './list/use-list-keys.ts'
import { useHasRoomForPanel, usePanel } from './panel/use-panel.ts'

const ChannelPanel = lazy(async () => ({ default: (await import('./panel/channel-panel.tsx')).ChannelPanel }))

const RoutingView = lazy(() => import('./routing/routing-view.tsx'))

const VIEWS = ['list', 'routing'] as const

/** Rows are 40 px high, so that a page shows more of them than other lists. */
const PAGES = { defaultSize: 50 } as const

export default function ChannelsPage() {
  const { t } = useTranslation('channels')
  const { search, change } = useUrlState()
  const filters = useFilters(channelFilters)
  const order = useListOrder()
  const pages = usePageState(stored.pageSize, PAGES)
  const rows = useRows(order.tagMode)
  const request = { filters: filters.values, page: pages.page, size: pages.size, ...order }
  const query = useQuery({ ...channelsQuery(request), select: rows.toRows })
  const channels = (query.data?.rows ?? []).flatMap(channelsOf)
  const selection = useChannelSelection(query.data?.rows)
  const batch = useBatch(selection)
  const tests = useSweep('tests')
  const balances = useSweep('balances')
  const isPhone = useIsPhone()
  const isNarrow = useIsNarrow()
  const view = VIEWS.find((known) => known === search.get('view')) ?? 'list'
  const setView = (next: (typeof VIEWS)[number]) => change({ view: next === 'list' ? null : next })
  const panel = usePanel(channels.map(({ id }) => id))
  const hasRoom = useHasRoomForPanel()
  const isBeside = panel.open && hasRoom
  const actions = useChannelActions({
    open: panel.show,
    openDialog: (drawer, about) => change({ drawer, id: null, tag: null, ...about }),
    showMore: rows.showMore,
    onDeleted(id) {
      selection.drop(id)
      if (panel.id === id) panel.close()
    },
  })
  useListKeys({
    find: (id) => channels.find((channel) => channel.id === id),
    step: panel.step,
    escape: () => (panel.open ? panel.close() : selection.clear()),
    test: (channel) => void actions.test(channel),
    edit: (channel) => actions.open(channel.id, 'settings'),
    toggleStatus: (channel) => void actions.setStatus([channel], channel.status !== 1),
  })
  const add = (
    <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => change({ drawer: 'create', id: null })}>
      {t('add')}
    </Button>
  )
  return (
    <ChannelActionsContext value={actions}>
      <PageHeader
        title={t('title')}
        action={
          <span className={styles.headActions}>
            {!isPhone && (
              <Segmented
                aria-label={t('views.label')}
                value={view}
                options={VIEWS.map((value) => ({ value, label: t(`views.${value}`) }))}
                onChange={setView}
              />
            )}
            <Button loading={tests.start.isPending} disabled={tests.isRunning} onClick={() => tests.start.mutate()}>
              {t('testAll')}
            </Button>
            {!isPhone && add}
          </span>
        }
      />
      {isPhone && (
        <PhoneActions>
          <Button onClick={() => setView(view === 'list' ? 'routing' : 'list')}>
            {t(view === 'list' ? 'views.routing' : 'views.list')}
          </Button>
          {add}
        </PhoneActions>
      )}
      <SweepNotice kind="tests" sweep={tests} />
      <SweepNotice kind="balances" sweep={balances} />
      <div className={styles.screen} data-beside-panel={isBeside || undefined}>
        <div>
          {view === 'routing' ? (
            <Suspense fallback={<SkeletonLines lines={4} title />}>
              <RoutingView />
            </Suspense>
          ) : (
            <ChannelList
              query={query}
              rows={rows}
              pages={pages}
              filters={filters}
              order={order}
              selection={selection}
              batch={batch}
              batchMenu={
                <BatchMenu
                  batch={batch}
                  tests={tests}
                  balances={balances}
                  compact={isNarrow || isBeside}
                  onVirtualModels={() => change({ drawer: 'virtual-models', id: null })}
                />
              }
              openId={panel.open ? panel.id : null}
              besidePanel={isBeside}
              onOpen={panel.show}
              add={add}
            />
          )}
        </div>
        <Suspense>{panel.id !== null && <ChannelPanel {...panel.props} id={panel.id} />}</Suspense>
      </div>
      <ChannelDrawers />
    </ChannelActionsContext>
  )
}
