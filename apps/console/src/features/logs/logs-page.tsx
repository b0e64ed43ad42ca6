import { DownloadOutlined, FilterOutlined, ReloadOutlined, SettingOutlined, UpOutlined } from '@ant-design/icons'
import { isAdmin } from '@tidegate/contract/api'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFileExport } from '../../api/file-export/use-file-export.ts'
import { useSession } from '../../api/session.ts'
import { formatCount, pluralForm } from '../../lib/format.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { useHasCards } from '../../lib/use-media.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { TimeRangeFilter } from '../../ui/filters/time-range-filter.tsx'
import { useEver } from '../../lib/use-last.ts'
import { Button, Switch, Tooltip } from '../../ui/kit/index.ts'
import { PageTitle } from '../../ui/page/page-header.tsx'
import { useColumnChoice } from '../../ui/table/column-choice.ts'
import { ColumnSettings } from '../../ui/table/column-settings.tsx'
import { logsQuery, readLogFile } from './api.ts'
import { COLUMNS } from './columns.tsx'
import { Facets, useFacets } from './facets.tsx'
import { FilterBox, LogFilterChips } from './filter-box.tsx'
import { useLogFilters } from './filters.ts'
import { HistogramCard, useRequestCount } from './histogram.tsx'
import { LogList } from './log-list.tsx'
import styles from './logs.module.css'
import { ErrorLoggingNote, ExportNotice } from './notices.tsx'
import { useHasFacets, useIsWide } from './layout.ts'
import { SavedViews } from './saved-views.tsx'
import { useLive } from './use-live.ts'
import { useLogKeys } from './use-log-keys.ts'
import { useLogPages } from './use-log-pages.ts'

const LIVE_TOTALS_MILLISECONDS = 10_000
/** Pixels that the list may be scrolled before live rows are held back. */
const SCROLLED = 40

// Loaded with the first open row or filter drawer.
const RequestPanel = lazy(() => import('./request-panel.tsx'))
const FacetDrawer = lazy(() => import('./facet-drawer.tsx'))

export default function LogsPage() {
  const { t, i18n } = useTranslation('logs')
  const { t: common } = useTranslation()
  const wholeSite = useSession((session) => isAdmin(session.user?.role ?? 0))
  const { search, change } = useUrlState()
  const filters = useLogFilters(wholeSite)
  const scope = useMemo(() => ({ wholeSite, filters: filters.values }), [wholeSite, filters.values])
  const pages = useLogPages(JSON.stringify(scope))
  const client = useQueryClient()
  const logs = useQuery(logsQuery(scope, pages))
  const { facets } = useFacets(scope)
  const requestCount = useRequestCount(scope)
  const columns = useColumnChoice(COLUMNS, wholeSite)
  const filterCount = filters.active.filter((name) => name !== 'range').length
  const [choosingColumns, setChoosingColumns] = useState(false)
  const [filtering, setFiltering] = useState(false)
  const hasOpenedFacets = useEver(filtering)
  const [hasCards, isWide, hasFacetRoom] = [useHasCards(), useIsWide(), useHasFacets()]
  const openRow = search.get('open') ?? ''
  const isPanelBeside = openRow !== '' && isWide
  const hasFacets = hasFacetRoom && openRow === '' && !hasCards
  const isLive = search.get('live') === '1'
  const top = useRef<HTMLDivElement>(null)
  const live = useLive({
    isOn: isLive && pages.page === 1,
    scope,
    rows: logs.isPlaceholderData ? undefined : logs.data?.items,
    size: pages.size,
    isPaused: () => openRow !== '' || (top.current?.getBoundingClientRect().top ?? 0) < -SCROLLED,
  })
  const rows = logs.isPlaceholderData ? logs.data?.items : live.rows
  const older = async () => {
    if (logs.isPlaceholderData) return
    // Live rows have moved rows out of the end of the list. The next page begins after the last row that is left.
    const { data } = live.rows === logs.data?.items ? logs : await logs.refetch()
    if (data?.next_cursor) pages.older(data.next_cursor)
  }
  const file = useFileExport({
    done: (size) => t('export.done', { size }),
    cancelled: t('export.cancelled'),
    cutOff: t('export.cutOff'),
  })
  const open = useCallback(
    (key: string) => change({ open: key }, { replace: true, preventScrollReset: true }),
    [change],
  )
  const close = useCallback(() => change({ open: null }, { replace: true, preventScrollReset: true }), [change])
  const setLive = (isOn: boolean) => change({ live: isOn ? 1 : null, page: null })
  useLogKeys({ rows: rows ?? [], openRow, onOpen: open, onClose: close, onLive: () => setLive(!isLive) })
  return (
    <>
      {head()}
      <ErrorLoggingNote wholeSite={wholeSite} />
      <div className={styles.filterRow}>
        {!hasFacets && (
          <Button icon={<FilterOutlined aria-hidden />} onClick={() => setFiltering(true)}>
            {t('filters.label')}
            {filterCount > 0 && <span className={styles.badge}>{filterCount}</span>}
          </Button>
        )}
        <FilterBox filters={filters} facets={facets} onOpenRequest={open} />
      </div>
      <SavedViews
        filters={filters}
        wholeSite={wholeSite}
        errors={facets?.status.values.find(({ value }) => value === 'error')?.count}
      />
      <LogFilterChips filters={filters} facets={facets} hasFacets={hasFacets} />
      {file.received !== null && <ExportNotice received={file.received} onCancel={file.cancel} />}
      <HistogramCard
        scope={scope}
        refetchInterval={isLive ? LIVE_TOTALS_MILLISECONDS : false}
        onZoom={(start, end) => filters.set({ range: { range: 'custom', start, end } })}
      />
      <div className={styles.body} data-facets={hasFacets || undefined} data-panel={isPanelBeside || undefined}>
        {hasFacets && <Facets scope={scope} filters={filters} />}
        <div className={styles.list} ref={top}>
          <LogList
            query={logs}
            rows={rows}
            pages={pages}
            onOlder={logs.data?.next_cursor === undefined ? undefined : older}
            filters={filters}
            wholeSite={wholeSite}
            columns={columns.shown}
            isPanelBeside={isPanelBeside}
            isWaiting={live.isWaiting}
            openRow={openRow}
            onOpen={open}
          />
        </div>
        {openRow !== '' && (
          <Suspense fallback={<SkeletonLines lines={4} title />}>
            <RequestPanel
              openRow={openRow}
              rows={rows ?? []}
              wholeSite={wholeSite}
              onOpen={open}
              onClose={close}
              onFilter={filters.set}
            />
          </Suspense>
        )}
      </div>
      {hasOpenedFacets && (
        <Suspense>
          <FacetDrawer
            open={filtering && !hasFacets}
            onClose={() => setFiltering(false)}
            scope={scope}
            filters={filters}
          />
        </Suspense>
      )}
      <ColumnSettings
        open={choosingColumns}
        onClose={() => setChoosingColumns(false)}
        columns={columns.offered.map((key) => ({
          key,
          title: t(`columns.${key}`),
          shown: columns.shown.includes(key),
        }))}
        onChange={columns.choose}
        onReset={columns.reset}
      />
    </>
  )

  function head() {
    return (
      <header className={styles.head}>
        <PageTitle>{t('title')}</PageTitle>
        <span className={`secondary ${styles.count}`}>
          {requestCount !== undefined &&
            t(`requestCount.${pluralForm(requestCount, i18n.resolvedLanguage)}`, { number: formatCount(requestCount) })}
        </span>
        <div className={styles.actions}>
          {live.held > 0 && (
            <Button
              type="primary"
              icon={<UpOutlined aria-hidden />}
              onClick={() => {
                live.release()
                window.scrollTo({ top: 0 })
              }}
            >
              {t('live.new', { count: live.held })}
            </Button>
          )}
          <label className={styles.live}>
            <Switch size="small" checked={isLive} onChange={setLive} aria-label={t('live.label')} />
            {isLive && live.held > 0 ? t('live.paused') : t('live.label')}
            {!hasCards && <kbd className={styles.key}>l</kbd>}
          </label>
          <TimeRangeFilter
            usual={filters.schema.range.none.range}
            value={filters.values.range}
            words={{
              label: common('filters.range'),
              custom: common('filters.custom'),
              from: common('filters.from'),
              to: common('filters.to'),
            }}
            nameOf={(range) => common(`ranges.${range}`)}
            onChange={(range) => filters.set({ range })}
          />
          <Button
            icon={<DownloadOutlined aria-hidden />}
            aria-label={t('export.action')}
            disabled={file.received !== null}
            onClick={() =>
              void file.start({
                name: 'usage-log',
                kind: 'csv',
                isLarge: logs.data?.capped ?? false,
                open: (signal) => readLogFile(scope, signal),
              })
            }
          >
            {!hasCards && t('export.action')}
          </Button>
          {!hasCards && (
            <Tooltip title={common('columns.title')}>
              <Button
                icon={<SettingOutlined aria-hidden />}
                aria-label={common('columns.title')}
                onClick={() => setChoosingColumns(true)}
              />
            </Tooltip>
          )}
          <Tooltip title={common('refresh')}>
            <Button
              icon={<ReloadOutlined aria-hidden />}
              aria-label={common('refresh')}
              loading={logs.isFetching}
              onClick={() => void client.refetchQueries({ queryKey: ['logs'], type: 'active' })}
            />
          </Tooltip>
        </div>
      </header>
    )
  }
}
