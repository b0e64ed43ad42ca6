import { ReloadOutlined, TeamOutlined } from '@ant-design/icons'
import { isAdmin as isAdminRole } from '@tidegate/contract/api'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { formatSpending } from '../../lib/format.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Alert, Button, Segmented } from '../../ui/kit/index.ts'
import { PageHeader, PageTitle } from '../../ui/page/page-header.tsx'
import { attentionQuery, overviewQuery, slowestChannelsQuery, uncoveredQuery, usageQuery, wireStep } from './api.ts'
import { AttentionCard } from './attention-card.tsx'
import styles from './dashboard.module.css'
import { LoadingFigures, PeriodFigures, TodayFigures } from './figures.tsx'
import { DashboardOff } from './first-steps.tsx'
import { LiveStrip } from './live-strip.tsx'
import { SlowestChannels, TopTokens, TopUsers } from './rankings.tsx'
import { localCalendar, utcCalendar } from './time-steps.ts'
import { UsageCard } from './usage-card.tsx'
import { totalOf, usageOf } from './usage.ts'
import { defaultScope, isLong, readView, SCOPES, shownStep, spanBefore, spanOf, type Scope, type Span } from './view.ts'

const UserPicker = lazy(() => import('./pickers.tsx').then((module) => ({ default: module.UserPicker })))

/** The overview of the site for administrators, and the usage of a user. */
export default function DashboardPage() {
  const { t } = useTranslation('dashboard')
  const { enable_data_export: isOn } = useStatus()
  if (isOn) return <Dashboard />
  return (
    <>
      <PageHeader title={t('title')} purpose={t('purpose')} />
      <DashboardOff />
    </>
  )
}

function Dashboard() {
  const { t, i18n } = useTranslation('dashboard')
  const { data_export_default_time: defaultStep } = useStatus()
  const isAdmin = useSession(({ user }) => isAdminRole(user?.role ?? 0))
  const { search } = useUrlState()
  // Fixed until a refresh, because a range that changes with every render would reload endlessly.
  const [now, setNow] = useState(thisMinute)
  const view = readView(search, { isAdmin, defaultStep })
  const { scope, username, metric } = view
  const span = spanOf(view, now)
  const step = shownStep(view, span)
  const rows = useQuery(usageQuery({ scope, username, span, step: wireStep(step, span) }))
  // Only the totals are used, so the longest interval gives the fewest rows.
  const rowsBefore = useQuery(usageQuery({ scope, username, span: spanBefore(span, view.range), step: 'week' }))
  const before = rowsBefore.isPlaceholderData ? undefined : rowsBefore.data
  const { start, until } = span
  const inUtc = isLong(span)
  const language = i18n.resolvedLanguage ?? 'en'
  const time = useMemo(() => ({ step, inUtc, language, from: start, until }), [step, inUtc, language, start, until])
  const usage = useMemo(
    () =>
      rows.data && usageOf(rows.data, { calendar: inUtc ? utcCalendar : localCalendar, step, metric, start, until }),
    [rows.data, inUtc, step, metric, start, until],
  )
  const totalBefore = useMemo(() => before && totalOf(before), [before])
  const isRefreshing = rows.isFetching && rows.isPlaceholderData
  const isSite = scope === 'site'
  const card = (
    <div className={styles.refreshing} data-on={isRefreshing || undefined} aria-busy={isRefreshing}>
      <UsageCard
        {...{ view, span, defaultStep, time, usage }}
        before={totalBefore}
        error={rows.error}
        onRetry={rows.refetch}
      />
    </div>
  )
  return (
    <div className={styles.page}>
      <Head isAdmin={isAdmin} scope={scope} username={username} isFetching={rows.isFetching} onRefresh={refresh} />
      {span.isCut && <Alert type="info" showIcon title={t(`cut.${scope === 'self' ? 'month' : 'year'}`)} />}
      {inUtc && <p className={styles.hint}>{t('inUtc')}</p>}
      {isAdmin && (isSite || (scope === 'user' && username !== '')) && (
        <UncoveredNotice username={isSite ? '' : username} span={span} />
      )}
      {isSite ? (
        <div className={styles.overview}>
          <AttentionCard />
          <TodayFigures />
          {card}
          <div className={styles.rankings}>
            <TopUsers span={span} range={view.range} />
            <TopTokens span={span} />
            <SlowestChannels />
          </div>
        </div>
      ) : (
        userBoard()
      )}
    </div>
  )

  function userBoard() {
    if (scope === 'user' && username === '') {
      return (
        <section className={styles.card}>
          <EmptyState icon={<TeamOutlined aria-hidden />} title={t('noUser.title')} hint={t('noUser.hint')} />
        </section>
      )
    }
    const withBalance = scope === 'self'
    return (
      <>
        {usage && <PeriodFigures usage={usage} before={totalBefore} withBalance={withBalance} />}
        {!usage && !rows.error && <LoadingFigures count={withBalance ? 5 : 4} />}
        {card}
      </>
    )
  }

  function refresh() {
    if (thisMinute() === now) void rows.refetch()
    setNow(thisMinute())
  }
}

interface HeadProps {
  isAdmin: boolean
  scope: Scope
  username: string
  isFetching: boolean
  onRefresh(): void
}

function Head({ isAdmin, scope, username, isFetching, onRefresh }: HeadProps) {
  const { t } = useTranslation('dashboard')
  const { t: common } = useTranslation()
  const client = useQueryClient()
  const { change } = useUrlState()
  const chooseScope = (chosen: Scope) =>
    change({ of: chosen === defaultScope({ isAdmin }) ? null : chosen, ...(chosen !== 'user' && { username: null }) })
  const refreshAll = () => {
    onRefresh()
    if (scope !== 'site') return
    for (const { queryKey } of [overviewQuery, attentionQuery, slowestChannelsQuery]) {
      void client.invalidateQueries({ queryKey })
    }
  }
  return (
    <header className={styles.head}>
      <PageTitle>{t('title')}</PageTitle>
      {scope === 'site' && <LiveStrip />}
      <div className={styles.headTools}>
        {isAdmin && (
          <Segmented<Scope>
            aria-label={t('filters.scope')}
            value={scope}
            onChange={chooseScope}
            options={SCOPES.map((name) => ({ value: name, label: t(`scopes.${name}`) }))}
          />
        )}
        {scope === 'user' && (
          <Suspense>
            <UserPicker username={username} onChange={(chosen) => change({ of: 'user', username: chosen })} />
          </Suspense>
        )}
        <Button
          icon={<ReloadOutlined aria-hidden />}
          aria-label={common('refresh')}
          title={common('refresh')}
          loading={isFetching}
          onClick={refreshAll}
        />
      </div>
    </header>
  )
}

interface UncoveredProps {
  /** Blank for the whole site. */
  username: string
  span: Pick<Span, 'start' | 'end'>
}

/** Amounts that could not be charged in the range. */
function UncoveredNotice({ username, span }: UncoveredProps) {
  const { t } = useTranslation('dashboard')
  const { data } = useQuery(uncoveredQuery({ username, span }))
  if (!data || data.requests === 0) return null
  const search = new URLSearchParams({
    uncovered: '1',
    range: 'custom',
    start: String(span.start),
    end: String(span.end),
    ...(username !== '' && { username }),
  })
  const amount = `${data.capped ? '≥ ' : ''}${formatSpending(data.quota)}`
  return (
    <Alert
      type="warning"
      showIcon
      title={t('uncovered', { amount, count: data.requests })}
      action={<Link to={`/app/logs/api-usage?${search}`}>{t('uncoveredAction')}</Link>}
    />
  )
}

const thisMinute = () => Math.floor(Date.now() / 60_000) * 60
