import { BarChartOutlined, ReloadOutlined, TeamOutlined } from '@ant-design/icons'
import { isAdmin as isAdminRole, isRoot } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSession } from '../../lib/session.ts'
import { useStatus } from '../../lib/status.ts'
import { useUrlState } from '../../lib/use-url-state.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Alert, Button } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import styles from './dashboard.module.css'
import { FilterBar } from './filters/filter-bar.tsx'
import { LivePanel } from './live/live-panel.tsx'
import { LoadingBoard } from './loading-board.tsx'
import { usageQuery, wireStep } from './queries.ts'
import { UncoveredNotice } from './uncovered-notice.tsx'
import { UnpricedNotice } from './unpriced-notice.tsx'
import { UsageBoard } from './usage-board.tsx'
import { isLong, readView, shownStep, spanBefore, spanOf } from './view.ts'

export default function DashboardPage() {
  const { t } = useTranslation('dashboard')
  const { enable_data_export: isCollected } = useStatus()
  if (isCollected) return <Dashboard />
  return (
    <>
      <PageHeader title={t('title')} purpose={t('purpose')} />
      <SwitchedOff />
    </>
  )
}

function Dashboard() {
  const { t } = useTranslation('dashboard')
  const { t: common } = useTranslation()
  const { data_export_default_time: defaultStep } = useStatus()
  const isAdmin = useSession(({ user }) => isAdminRole(user?.role ?? 0))
  const { search } = useUrlState()
  // The moment the span is counted from: a span that moved with every drawing would be asked for without end.
  const [now, setNow] = useState(thisMinute)
  const view = readView(search, { isAdmin, defaultStep })
  const span = spanOf(view, now)
  const question = { scope: view.scope, username: view.username }
  const usage = useQuery(usageQuery({ ...question, span, step: wireStep(shownStep(view, span), span) }))
  // Only its totals are wanted: the fewer rows, the better.
  const before = useQuery(usageQuery({ ...question, span: spanBefore(span), step: 'week' }))
  const refresh = () => {
    if (thisMinute() === now) void usage.refetch()
    setNow(thisMinute())
  }
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('title')}
        purpose={t('purpose')}
        action={
          <Button icon={<ReloadOutlined aria-hidden />} loading={usage.isFetching} onClick={refresh}>
            {common('refresh')}
          </Button>
        }
      />
      <FilterBar view={view} span={span} isAdmin={isAdmin} defaultStep={defaultStep} />
      {span.isCut && <Alert type="info" showIcon title={t(`cut.${view.scope === 'self' ? 'month' : 'year'}`)} />}
      {isLong(span) && <p className={styles.note}>{t('inUtc')}</p>}
      {view.scope !== 'self' && isAdmin && (view.scope === 'site' || view.username !== '') && (
        <UncoveredNotice username={view.scope === 'user' ? view.username : ''} span={span} />
      )}
      {view.scope === 'site' && isAdmin && <UnpricedNotice />}
      {view.scope === 'site' && <LivePanel />}
      {board()}
    </div>
  )

  function board() {
    if (view.scope === 'user' && view.username === '') {
      return (
        <section className={styles.panel}>
          <EmptyState icon={<TeamOutlined aria-hidden />} title={t('noUser.title')} hint={t('noUser.hint')} />
        </section>
      )
    }
    if (usage.error && !usage.data) {
      return (
        <section className={styles.panel}>
          <ErrorState
            title={common('errors.loadFailed')}
            error={usage.error}
            retrying={usage.isFetching}
            onRetry={usage.refetch}
          />
        </section>
      )
    }
    if (!usage.data) return <LoadingBoard />
    const isOld = usage.isFetching && usage.isPlaceholderData
    return (
      <div className={styles.board} data-refreshing={isOld || undefined} aria-busy={isOld}>
        <UsageBoard
          view={view}
          span={span}
          rows={usage.data}
          rowsBefore={before.isPlaceholderData ? undefined : before.data}
        />
      </div>
    )
  }
}

function SwitchedOff() {
  const { t } = useTranslation('dashboard')
  const navigate = useNavigate()
  const mayChange = useSession(({ user }) => isRoot(user?.role ?? 0))
  return (
    <section className={styles.panel}>
      <EmptyState
        icon={<BarChartOutlined aria-hidden />}
        title={t('off.title')}
        hint={mayChange ? t('off.hintOfRoot') : t('off.hint')}
        action={
          mayChange && <Button onClick={() => void navigate('/admin/settings?tab=operation')}>{t('off.action')}</Button>
        }
      />
    </section>
  )
}

const thisMinute = () => Math.floor(Date.now() / 60_000) * 60
