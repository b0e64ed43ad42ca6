import { DownloadOutlined, ProfileOutlined, ReloadOutlined, SettingOutlined, WarningOutlined } from '@ant-design/icons'
import { isAdmin, type UsageLog } from '@tidegate/contract/api'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError } from '../../lib/call-error.ts'
import { useColumnChoice } from '../../lib/column-choice.ts'
import { useFileExport } from '../../lib/file-export/use-file-export.ts'
import type { FilterChanges } from '../../lib/filters/active-filters.ts'
import { useSession } from '../../lib/session.ts'
import { useIsNarrow } from '../../lib/use-media.ts'
import { usePageState, useUrlState } from '../../lib/use-url-state.ts'
import { ColumnSettings } from '../../ui/column-settings.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Button } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pager } from '../../ui/pager.tsx'
import { LogDetails } from './details/log-details.tsx'
import { ExportNotice } from './export/export-notice.tsx'
import { LogFilterBar } from './filters/log-filter-bar.tsx'
import { LogFilterChips } from './filters/log-filter-chips.tsx'
import { isFiltered, readFilters } from './filters/log-filters.ts'
import { COLUMNS } from './list/column-rules.ts'
import { LogCard } from './list/log-card.tsx'
import { useLogColumns } from './list/use-log-columns.tsx'
import styles from './logs.module.css'
import { logsQuery, readLogFile } from './queries.ts'
import { SummaryChips } from './summary-chips.tsx'

export default function LogsPage() {
  const { t } = useTranslation('logs')
  const { t: common } = useTranslation()
  const wholeSite = useSession((session) => isAdmin(session.user?.role ?? 0))
  const { search, change } = useUrlState()
  const filters = readFilters(search, wholeSite)
  const pages = usePageState()
  const client = useQueryClient()
  const logs = useQuery(logsQuery({ wholeSite, filters, page: pages.page, size: pages.size }))
  const columns = useColumnChoice(COLUMNS, wholeSite)
  const [choosingColumns, setChoosingColumns] = useState(false)
  const file = useFileExport({
    done: (size) => t('export.done', { size }),
    cancelled: t('export.cancelled'),
    cutOff: t('export.cutOff'),
  })
  const isNarrow = useIsNarrow() // cards have no columns
  const tableColumns = useLogColumns(columns.shown)
  const expandLog = useCallback((log: UsageLog) => <LogDetails log={log} wholeSite={wholeSite} />, [wholeSite])
  const setFilters = (changes: FilterChanges) => change({ ...changes, page: null })
  const refusal = logs.error instanceof CallError && logs.error.code === 'page_too_deep' ? logs.error : null
  return (
    <>
      <PageHeader title={t('title')} purpose={t('purpose')} action={actions()} />
      <SummaryChips wholeSite={wholeSite} filters={filters} />
      <LogFilterBar filters={filters} wholeSite={wholeSite} onChange={setFilters} />
      <LogFilterChips filters={filters} onChange={setFilters} />
      {file.received !== null && <ExportNotice received={file.received} onCancel={file.cancel} />}
      {refusal ? (
        <section className={styles.tooDeep} role="alert">
          <EmptyState
            icon={<WarningOutlined aria-hidden />}
            title={t('tooDeep')}
            hint={refusal.message}
            action={<Button onClick={() => pages.turn(1, pages.size)}>{t('firstPage')}</Button>}
          />
        </section>
      ) : (
        <DataTable
          label={t('list')}
          rows={logs.data?.items}
          rowKey={keyOf}
          columns={tableColumns}
          renderCard={(log) => <LogCard log={log} wholeSite={wholeSite} />}
          expandRow={expandLog}
          refreshing={logs.isFetching && logs.isPlaceholderData}
          error={logs.error}
          onRetry={logs.refetch}
          empty={nothing()}
          footer={
            <Pager
              state={pages}
              shown={logs.data?.items.length ?? 0}
              total={logs.data?.total ?? 0}
              capped={logs.data?.capped ?? false}
            />
          }
        />
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

  function actions() {
    return (
      <>
        <Button
          icon={<DownloadOutlined aria-hidden />}
          disabled={file.received !== null}
          onClick={() =>
            void file.start({
              name: 'usage-log',
              kind: 'csv',
              isLarge: logs.data?.capped ?? false,
              open: (signal) => readLogFile({ wholeSite, filters }, signal),
            })
          }
        >
          {t('export.action')}
        </Button>
        {!isNarrow && (
          <Button icon={<SettingOutlined aria-hidden />} onClick={() => setChoosingColumns(true)}>
            {common('columns.title')}
          </Button>
        )}
        <Button
          icon={<ReloadOutlined aria-hidden />}
          loading={logs.isFetching}
          onClick={() => void client.refetchQueries({ queryKey: ['logs'], type: 'active' })}
        >
          {common('refresh')}
        </Button>
      </>
    )
  }

  function nothing() {
    if (pages.page > 1) {
      return (
        <EmptyState
          title={t('emptyPage')}
          action={<Button onClick={() => pages.turn(1, pages.size)}>{t('firstPage')}</Button>}
        />
      )
    }
    const kind = isFiltered(filters) ? 'emptyFiltered' : 'empty'
    return <EmptyState icon={<ProfileOutlined aria-hidden />} title={t(`${kind}.title`)} hint={t(`${kind}.hint`)} />
  }
}

/** The log is kept in parts by time, and a number is promised to be the only one of its kind within its part. */
const keyOf = (log: UsageLog) => `${log.id}/${log.request_id}/${log.created_at}`
