import type { Overview } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { monthSpendingQuery } from '../../api/month-spending.ts'
import { DaysLeft } from '../../components/days-left.tsx'
import { Money } from '../../components/money.tsx'
import { LoadError } from '../../components/resource/load-error.tsx'
import { compact, formatCallPrice, formatCount } from '../../lib/format.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { Sparkline } from '../../ui/chart/sparkline.tsx'
import { Tooltip } from '../../ui/kit/index.ts'
import { balanceQuery, overviewQuery } from './api.ts'
import styles from './dashboard.module.css'
import { averageCost, formatMilliseconds, formatShare, growth, totalsByStep, type Sums, type Usage } from './usage.ts'

/** A change since the previous period. */
interface Delta {
  /** Without a sign. */
  text: string
  direction: 'up' | 'down' | 'same'
  /** Whether the change is good for the operator; undefined if it is neither good nor bad. */
  isGood?: boolean | undefined
}

interface Figure {
  name: string
  value: ReactNode
  /** Null without an earlier value, undefined if it is not loaded. */
  delta?: Delta | null | undefined
  /** What the change refers to. */
  since?: string
  note?: ReactNode
  values?: readonly (number | undefined)[]
  compare?: readonly (number | undefined)[]
}

/** Today's metrics of the site, compared with the same hours of yesterday. */
export function TodayFigures() {
  const { t } = useTranslation('dashboard')
  const { t: common } = useTranslation()
  const overview = useQuery(overviewQuery)
  if (overview.data) {
    return <FigureCard label={t('today.label')} figures={figuresOf(overview.data, overview.dataUpdatedAt / 1000)} />
  }
  if (overview.error) {
    return (
      <section className={styles.card} aria-label={t('today.label')}>
        <LoadError title={common('errors.loadFailed')} error={overview.error} onRetry={overview.refetch} />
      </section>
    )
  }
  return <LoadingFigures count={5} />

  function figuresOf({ today, yesterday }: Overview, now: number): Figure[] {
    const since = t('today.since', { time: clock(now) })
    const before = soFar(yesterday, now)
    // The current hour is incomplete, so its point would appear as a drop.
    const hours = today.hours.slice(0, -1)
    const lines = (pick: (hour: Overview['today']['hours'][number]) => number | null) => ({
      values: hours.map((hour) => pick(hour) ?? undefined),
      compare: yesterday.hours.slice(0, -1).map((hour) => pick(hour) ?? undefined),
    })
    return [
      {
        name: t('today.revenue'),
        value: <Money quota={today.revenue} kind="sum" />,
        delta: relative(today.revenue, before.revenue, true),
        since,
        ...lines(({ revenue }) => revenue),
      },
      {
        name: t('today.requests'),
        value: formatCount(today.requests),
        delta: relative(today.requests, before.requests, true),
        since,
        ...lines(({ requests }) => requests),
      },
      {
        name: t('today.errorRate'),
        value: today.error_rate === null ? '–' : formatShare(today.error_rate),
        delta: difference(today.error_rate, yesterday.error_rate, (change) =>
          t('today.points', { points: (change * 100).toFixed(2) }),
        ),
        since,
        ...lines(({ error_rate: rate }) => rate),
      },
      {
        name: t('today.firstToken'),
        value: formatMilliseconds(today.first_token_p95),
        delta: difference(today.first_token_p95, yesterday.first_token_p95, formatMilliseconds),
        since,
        ...lines(({ first_token_p95: milliseconds }) => milliseconds),
      },
      {
        name: t('today.activeUsers'),
        value: formatCount(today.active_users),
        delta: difference(today.active_users, yesterday.active_users, formatCount, true),
        since,
        ...lines(({ active_users: users }) => users),
      },
    ]
  }
}

/** Yesterday up to the same minute. Its last hour is complete, so only the elapsed part of it counts. */
function soFar({ revenue, requests, hours }: Overview['yesterday'], now: number) {
  const rest = 1 - (now % 3600) / 3600
  const last = hours.at(-1)
  return { revenue: revenue - (last?.revenue ?? 0) * rest, requests: requests - (last?.requests ?? 0) * rest }
}

interface PeriodProps {
  usage: Usage
  /** Totals of the previous period; undefined while they load. */
  before: Sums | undefined
  /** Also shows the balance of the signed-in user. */
  withBalance: boolean
}

/** Spending of a user in the selected range, compared with the previous period. */
export function PeriodFigures({ usage, before, withBalance }: PeriodProps) {
  const { t } = useTranslation('dashboard')
  const { total } = usage
  const balance = useQuery({ ...balanceQuery, enabled: withBalance })
  const month = useQuery({ ...monthSpendingQuery, enabled: withBalance })
  const steps = totalsByStep(usage).slice(0, countComplete(usage.starts))
  const average = averageCost(total)
  const averageBefore = (before && averageCost(before)) ?? 0
  const since = t('change.since')
  const figures: Figure[] = []
  if (withBalance && balance.data !== undefined) {
    figures.push({
      name: t('cards.balance'),
      value: <Money quota={balance.data} />,
      note: <DaysLeft balance={balance.data} month={month.data} />,
    })
  }
  // Zeros would only repeat that there is no usage.
  if (total.requests > 0) figures.push(...usageFigures())
  return figures.length > 0 && <FigureCard label={t('cards.label')} figures={figures} />

  function usageFigures(): Figure[] {
    return [
      {
        name: t('cards.quota'),
        value: <Money quota={total.quota} kind="sum" />,
        delta: before && relative(total.quota, before.quota),
        since,
        values: steps.map(({ quota }) => quota),
      },
      {
        name: t('cards.requests'),
        value: formatCount(total.requests),
        delta: before && relative(total.requests, before.requests),
        since,
        values: steps.map(({ requests }) => requests),
      },
      {
        name: t('cards.tokens'),
        value: (
          <Tooltip title={formatCount(total.tokens)}>
            <span>{compact(total.tokens)}</span>
          </Tooltip>
        ),
        delta: before && relative(total.tokens, before.tokens),
        since,
        values: steps.map(({ tokens }) => tokens),
      },
      {
        name: t('cards.average'),
        value: average === null ? '–' : formatCallPrice(Math.round(average)),
        delta: before && (average === null ? null : relative(average, averageBefore)),
        since,
        values: steps.map((step) => averageCost(step) ?? undefined),
      },
    ]
  }
}

/** The number of steps that are over. The running one would appear as a drop. */
function countComplete(starts: readonly number[], now = Date.now() / 1000): number {
  const [first = 0, second = first] = starts
  const isRunning = (starts.at(-1) ?? 0) + (second - first) > now
  return starts.length - (isRunning ? 1 : 0)
}

function FigureCard({ label, figures }: { label: string; figures: readonly Figure[] }) {
  // All cards have a line, or none: a flat line says that a value did not change.
  const hasLines = figures.some(({ values = [], compare = [] }) => hasAny([...values, ...compare]))
  return (
    <section className={styles.figures} aria-label={label}>
      {figures.map((figure) => (
        <section key={figure.name} className={styles.figure} aria-label={figure.name}>
          <h2 className={styles.figureName}>{figure.name}</h2>
          <div className={`number ${styles.figureValue}`}>{figure.value}</div>
          <p className={styles.figureDelta}>
            {figure.note}
            {figure.delta !== undefined && <Change delta={figure.delta} since={figure.since} />}
          </p>
          {hasLines && figure.values && (
            <Sparkline values={figure.values} {...(figure.compare && { compare: figure.compare })} />
          )}
        </section>
      ))}
    </section>
  )
}

const hasAny = (values: readonly (number | undefined)[]) => values.some((value) => value !== undefined && value > 0)

const ARROWS = { up: '↑', down: '↓', same: '±' } as const

function Change({ delta, since }: { delta: Delta | null; since: string | undefined }) {
  if (delta === null) return null
  return (
    <>
      <span className={styles.delta} data-tone={toneOf(delta.isGood)}>
        {ARROWS[delta.direction]} {delta.text}
      </span>{' '}
      <span className={styles.since}>{since}</span>
    </>
  )
}

const toneOf = (isGood: boolean | undefined) => (isGood === undefined ? undefined : isGood ? 'good' : 'bad')

/** Smaller changes have no colour. */
const NOTABLE_CHANGE = 0.05

/** @param moreIsGood whether an increase is good; without it the change has no colour. */
export function relative(now: number, before: number, moreIsGood?: boolean): Delta | null {
  const change = growth(now, before)
  if (change === null) return null
  if (Math.abs(change) < 0.0005) return { text: '0%', direction: 'same' }
  const text = change >= 10 ? `${compact(Math.round(change * 100))}%` : formatShare(Math.abs(change))
  const isNotable = moreIsGood !== undefined && Math.abs(change) >= NOTABLE_CHANGE
  const isGood = isNotable ? moreIsGood === change > 0 : undefined
  return { text, direction: change > 0 ? 'up' : 'down', isGood }
}

function difference(
  now: number | null,
  before: number | null,
  write: (change: number) => string,
  moreIsGood = false,
): Delta | null {
  if (now === null || before === null) return null
  const text = write(Math.abs(now - before))
  if (text === write(0)) return { text, direction: 'same' }
  return { text, direction: now > before ? 'up' : 'down', isGood: moreIsGood === now > before }
}

/** Also used for the total above the chart. */
export function TotalChange({ now, before }: { now: number; before: number | undefined }) {
  const { t } = useTranslation('dashboard')
  if (before === undefined) return null
  const delta = relative(now, before)
  return (
    <span className={styles.figureDelta}>
      <Change delta={delta} since={delta ? t('change.since') : undefined} />
    </span>
  )
}

export function LoadingFigures({ count }: { count: number }) {
  const { t } = useTranslation()
  return (
    <output className={styles.figures} aria-label={t('loading')}>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={styles.figure}>
          <SkeletonLines lines={2} title />
        </div>
      ))}
    </output>
  )
}

function clock(unixSeconds: number): string {
  const time = new Date(unixSeconds * 1000)
  return `${String(time.getHours()).padStart(2, '0')}:${String(time.getMinutes()).padStart(2, '0')}`
}
