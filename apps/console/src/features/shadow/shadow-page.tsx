import { DeleteOutlined, DiffOutlined, ReloadOutlined } from '@ant-design/icons'
import { isRoot, type ShadowSummary } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import { LoadError } from '../../components/resource/load-error.tsx'
import { useChange } from '../../components/resource/use-change.ts'
import { formatCount } from '../../lib/format.ts'
import { stored } from '../../lib/stored.ts'
import type { TimeRange } from '../../lib/time-range.ts'
import { toast } from '../../lib/toast.ts'
import { usePageState, type PageState } from '../../lib/url-state.ts'
import { useFilters } from '../../ui/filters/define-filters.ts'
import { Filters } from '../../ui/filters/filters.tsx'
import { App, Button, Tabs } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { clearRequests, SHADOW, summaryQuery, useMatchRequests, useRefreshShadow } from './api.ts'
import { KEEP_SCROLL, periodFilters, useView, VIEWS, type View } from './filters.ts'
import { RequestList } from './request-list.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import styles from './shadow.module.css'
import { LoadingTiles, MatchResult, NoRequests, Tiles, UnmatchedNote } from './summary.tsx'
import { ModelsTable, RoutesTable } from './summary-tables.tsx'

export default function ShadowPage() {
  const { t } = useTranslation('shadow')
  const { t: common } = useTranslation()
  const period = useFilters(periodFilters, KEEP_SCROLL)
  const { range } = period.values
  const summary = useQuery(summaryQuery(range))
  const match = useMatchRequests()
  const refresh = useRefreshShadow()
  const mayClear = useSession(({ user }) => isRoot(user?.role ?? 0))
  const refreshing = summary.isFetching && summary.isPlaceholderData
  const hasRequests = summary.data !== undefined && summary.data.calls > 0
  // Nothing to set, filter or compare yet.
  const isUnused = summary.data?.enabled === false && !hasRequests && period.active.length === 0
  return (
    <>
      <PageHeader title={t('title')} purpose={t('purpose')} action={!isUnused && tools()} />
      {!isUnused && (
        <>
          <SettingsPanel summary={summary.data} />
          <Filters filters={period} fields={{ range: { label: common('filters.range') } }} />
        </>
      )}
      {match.data && <MatchResult {...match.data} onClose={match.reset} />}
      {content()}
    </>
  )

  function tools() {
    return (
      <>
        <Button icon={<ReloadOutlined aria-hidden />} loading={summary.isFetching} onClick={() => void refresh()}>
          {common('refresh')}
        </Button>
        {hasRequests && (
          <Button
            type="primary"
            icon={<DiffOutlined aria-hidden />}
            loading={match.isPending}
            onClick={() => match.mutate()}
          >
            {t('match.action')}
          </Button>
        )}
        {mayClear && hasRequests && <ClearButton />}
      </>
    )
  }

  function content() {
    if (!summary.data) {
      if (!summary.error) return <LoadingTiles />
      return (
        <section className={styles.panel}>
          <LoadError
            title={common('errors.loadFailed')}
            error={summary.error}
            retrying={summary.isFetching}
            onRetry={summary.refetch}
          />
        </section>
      )
    }
    if (summary.data.calls === 0) return <NoRequests summary={summary.data} />
    return (
      <>
        <div className={styles.summary} data-refreshing={refreshing || undefined} aria-busy={refreshing}>
          <Tiles summary={summary.data} />
        </div>
        {summary.data.matched === 0 && !match.data && <UnmatchedNote />}
        <Views period={range} summary={summary.data} refreshing={refreshing} />
      </>
    )
  }
}

function ClearButton() {
  const { t } = useTranslation('shadow')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const clear = useChange(SHADOW, clearRequests)
  const confirm = () =>
    void modal.confirm({
      title: t('clear.title'),
      content: t('clear.text'),
      okText: t('clear.action'),
      cancelText: common('cancel'),
      okButtonProps: { danger: true },
      // Errors are shown by the query client.
      onOk: () =>
        clear(undefined).then(
          (removed) => toast.success(t('clear.done', { count: formatCount(removed) })),
          () => {},
        ),
    })
  return (
    <Button danger icon={<DeleteOutlined aria-hidden />} onClick={confirm}>
      {t('clear.action')}
    </Button>
  )
}

interface ViewsProps {
  period: TimeRange
  summary: ShadowSummary
  refreshing: boolean
}

/** The requests by model, by route and one by one. */
function Views({ period, summary, refreshing }: ViewsProps) {
  const { t } = useTranslation('shadow')
  const { view, showView, showRequestsOf } = useView()
  const top = useRef<HTMLElement>(null)
  const pageState = usePageState(stored.pageSize, KEEP_SCROLL)
  const pages: PageState = {
    ...pageState,
    turn(page, size) {
      pageState.turn(page, size)
      top.current?.scrollIntoView({ block: 'start' }) // from the pager to the first row
    },
  }
  const contents: Record<View, ReactNode> = {
    models: <ModelsTable models={summary.models} refreshing={refreshing} onShow={showRequestsOf} />,
    routes: <RoutesTable routes={summary.routes} refreshing={refreshing} />,
    calls: <RequestList period={period} models={summary.models.map((model) => model.model_name)} pages={pages} />,
  }
  return (
    <section ref={top} className={styles.views} aria-label={t('views.label')}>
      <Tabs
        activeKey={view}
        onChange={(key) => showView(key as View)}
        destroyOnHidden
        items={VIEWS.map((key) => ({ key, label: t(`views.${key}`), children: contents[key] }))}
      />
    </section>
  )
}
