import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { compact, formatCallPrice, formatCount, formatSpending } from '../../lib/format.ts'
import { Sparkline } from '../../ui/chart-sparkline.tsx'
import { Skeleton, Tooltip } from '../../ui/kit/index.ts'
import styles from './dashboard.module.css'
import { formatShare } from './data/metrics.ts'
import { averageCost, growth, nothing, type Sums, type Usage } from './data/usage.ts'

interface Props {
  usage: Usage
  /** The same length of time before; undefined while it is not known. */
  before: Sums | undefined
}

/** The four figures of a span, each beside the span before it. */
export function Cards({ usage: { series, starts, total }, before }: Props) {
  const { t } = useTranslation('dashboard')
  const { t: common } = useTranslation()
  const steps = starts.map((_, index) => sumOf(series.map(({ steps }) => steps[index]!)))
  const average = averageCost(total)
  const averageBefore = before && averageCost(before)
  return (
    <div className={styles.cards}>
      <Card
        label={t('cards.quota')}
        value={
          <Tooltip title={common('quotaExactly', { quota: formatCount(total.quota) })}>
            <span className="number">{formatSpending(total.quota)}</span>
          </Tooltip>
        }
        change={before && growth(total.quota, before.quota)}
        course={steps.map(({ quota }) => quota)}
      />
      <Card
        label={t('cards.requests')}
        value={<span className="number">{formatCount(total.requests)}</span>}
        change={before && growth(total.requests, before.requests)}
        course={steps.map(({ requests }) => requests)}
      />
      <Card
        label={t('cards.tokens')}
        value={
          <Tooltip title={formatCount(total.tokens)}>
            <span className="number">{compact(total.tokens)}</span>
          </Tooltip>
        }
        change={before && growth(total.tokens, before.tokens)}
        course={steps.map(({ tokens }) => tokens)}
      />
      <Card
        label={t('cards.average')}
        value={<span className="number">{average === null ? '–' : formatCallPrice(Math.round(average))}</span>}
        change={before && (average === null ? null : growth(average, averageBefore ?? 0))}
        course={steps.map((step) => averageCost(step) ?? undefined)}
      />
    </div>
  )
}

interface CardProps {
  label: string
  value: ReactNode
  /** Null when there is nothing to compare with, undefined while that is not known. */
  change: number | null | undefined
  course: readonly (number | undefined)[]
}

function Card({ label, value, change, course }: CardProps) {
  return (
    <section className={styles.card} aria-label={label}>
      <h2 className={styles.cardLabel}>{label}</h2>
      <div className={styles.cardValue}>{value}</div>
      <Change change={change} />
      <Sparkline values={course} />
    </section>
  )
}

/** Neither green nor red: whether spending more is good is not ours to say. */
function Change({ change }: Pick<CardProps, 'change'>) {
  const { t } = useTranslation('dashboard')
  if (change === undefined) return <p className={styles.cardChange}>&nbsp;</p>
  if (change === null) return <p className={styles.cardChange}>{t('change.none')}</p>
  if (Math.abs(change) < 0.0005) return <p className={styles.cardChange}>{t('change.same')}</p>
  const share = change >= 10 ? `${compact(Math.round(change * 100))}%` : formatShare(Math.abs(change))
  return (
    <p className={styles.cardChange}>
      {change > 0 ? <ArrowUpOutlined aria-hidden /> : <ArrowDownOutlined aria-hidden />}{' '}
      {t(change > 0 ? 'change.more' : 'change.less', { share })}
    </p>
  )
}

export function LoadingCards() {
  const { t } = useTranslation()
  return (
    <output className={styles.cards} aria-label={t('loading')}>
      {[0, 1, 2, 3].map((card) => (
        <div key={card} className={styles.card}>
          <Skeleton active title={{ width: '40%' }} paragraph={{ rows: 2, width: ['60%', '80%'] }} />
        </div>
      ))}
    </output>
  )
}

function sumOf(parts: readonly Sums[]): Sums {
  const sum = nothing()
  for (const { quota, requests, tokens } of parts) {
    sum.quota += quota
    sum.requests += requests
    sum.tokens += tokens
  }
  return sum
}
