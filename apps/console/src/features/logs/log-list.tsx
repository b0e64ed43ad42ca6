import { ProfileOutlined, WarningOutlined } from '@ant-design/icons'
import type { UsageLog } from '@tidegate/contract/api'
import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/errors.ts'
import { LoadError } from '../../components/resource/load-error.tsx'
import { useHasCards } from '../../lib/use-media.ts'
import { useStableActions } from '../../lib/use-stable-actions.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button } from '../../ui/kit/index.ts'
import { CursorPager } from '../../ui/table/cursor-pager.tsx'
import { narrowColumns, tabletColumns, type ColumnKey } from './columns.tsx'
import type { LogFilterState } from './filters.ts'
import { LogCards, LogsLoading, LogTable } from './log-table.tsx'
import styles from './logs.module.css'
import { useIsWide } from './layout.ts'
import type { LogPages } from './use-log-pages.ts'

interface Props {
  query: UseQueryResult<{ items: UsageLog[]; total: number; capped: boolean }>
  /** The rows of the page with live rows on top. */
  rows: readonly UsageLog[] | undefined
  pages: LogPages
  /** Missing on the last page. */
  onOlder: (() => unknown) | undefined
  filters: LogFilterState
  wholeSite: boolean
  columns: readonly ColumnKey[]
  isPanelBeside: boolean
  /** Live without a new row for some time. */
  isWaiting: boolean
  openRow: string
  onOpen(key: string): void
}

/** Errors of a page that another attempt cannot load. */
const LOST_PAGES: ReadonlySet<string> = new Set(['page_too_deep', 'log_cursor_invalid'])

/** The rows with their states: loading, failed, too far back, empty. */
export function LogList(props: Props) {
  const { query, rows, pages, onOlder, filters, wholeSite, isPanelBeside, isWaiting, openRow } = props
  const { t } = useTranslation('logs')
  const { t: common } = useTranslation()
  const hasCards = useHasCards()
  const isWide = useIsWide()
  const columns = useMemo(() => {
    if (isPanelBeside) return narrowColumns(props.columns)
    return isWide ? props.columns : tabletColumns(props.columns)
  }, [isPanelBeside, isWide, props.columns])
  const actions = useStableActions({
    onOpen: props.onOpen,
    onOnlyUser: (username: string) => filters.set({ username: [username] }),
  })
  const firstPage = <Button onClick={pages.newest}>{t('firstPage')}</Button>
  if (query.error instanceof ApiError && LOST_PAGES.has(query.error.code)) {
    return (
      <section className={styles.state} role="alert">
        <EmptyState
          icon={<WarningOutlined aria-hidden />}
          title={t(query.error.code === 'page_too_deep' ? 'tooDeep' : 'emptyPage')}
          hint={query.error.message}
          action={firstPage}
        />
      </section>
    )
  }
  if (!rows && query.error) {
    return (
      <section className={styles.state}>
        <LoadError
          title={common('errors.loadFailed')}
          error={query.error}
          retrying={query.isFetching}
          onRetry={query.refetch}
        />
      </section>
    )
  }
  if (!rows) return <LogsLoading />
  const list = {
    rows,
    columns,
    wholeSite,
    openRow,
    ...actions,
    compact: isPanelBeside || !isWide,
    refreshing: query.isFetching && query.isPlaceholderData,
  }
  return (
    <>
      {isWaiting && (
        <output className={styles.waiting}>
          <i aria-hidden /> {t('live.waiting')}
        </output>
      )}
      {rows.length === 0 ? (
        <section className={styles.state}>{nothing()}</section>
      ) : hasCards ? (
        <LogCards {...list} />
      ) : (
        <LogTable {...list} />
      )}
      <CursorPager
        page={pages.page}
        size={pages.size}
        shown={query.data?.items.length ?? 0}
        total={query.data?.total ?? 0}
        capped={query.data?.capped ?? false}
        onOlder={onOlder}
        onNewer={pages.newer}
        onNewest={pages.newest}
        onSize={pages.resize}
      />
    </>
  )

  function nothing() {
    if (onOlder) return <EmptyState title={t('emptyScanned.title')} hint={t('emptyScanned.hint')} />
    if (pages.page > 1) return <EmptyState title={t('emptyPage')} action={firstPage} />
    const kind = filters.active.length > 0 ? 'emptyFiltered' : 'empty'
    return (
      <EmptyState
        icon={<ProfileOutlined aria-hidden />}
        title={t(`${kind}.title`)}
        hint={t(`${kind}.hint`)}
        guide="guides/troubleshoot#usage-or-price-is-wrong"
        action={kind === 'emptyFiltered' && <Button onClick={filters.clear}>{common('reset')}</Button>}
      />
    )
  }
}
