import { LOG_TYPE, type LogHistogram, type LogStat } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useState, type PointerEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../api/errors.ts'
import { Money } from '../../components/money.tsx'
import { formatCount, formatDay, formatExactTime } from '../../lib/format.ts'
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx'
import { histogramQuery, statQuery, type LogScope } from './api.ts'
import { axisTicks } from './axis-ticks.ts'
import styles from './histogram.module.css'
import { formatSpan } from './steps.ts'

interface Props {
  scope: LogScope
  /** Milliseconds between updates, or false. */
  refetchInterval: number | false
  onZoom(start: number, end: number): void
}

/** Requests over time, and their totals. */
export function HistogramCard({ scope, refetchInterval, onZoom }: Props) {
  const { t } = useTranslation('logs')
  const histogram = useQuery({ ...histogramQuery(scope), refetchInterval })
  const stat = useQuery({ ...statQuery(scope), refetchInterval })
  const totals = histogram.data && totalsOf(histogram.data)
  const errorShare = totals && totals.requests > 0 ? ` (${percent(totals.errors / totals.requests)})` : ''
  return (
    <section className={styles.card} aria-label={t('histogram.title')}>
      <div className={styles.head}>
        <dl className={styles.summary} aria-busy={histogram.isFetching || stat.isFetching}>
          <Total name={t('histogram.requests')} mark="requests">
            {shown(histogram, totals && formatCount(totals.requests))}
          </Total>
          <Total name={t('histogram.errors')} mark="errors">
            {shown(histogram, totals && `${formatCount(totals.errors)}${errorShare}`)}
          </Total>
          {totals && totals.interrupted > 0 && (
            <Total name={t('histogram.interrupted')} mark="interrupted">
              {formatCount(totals.interrupted)}
            </Total>
          )}
          {histogram.data?.first_token && <Speed measure="firstToken" {...histogram.data.first_token} />}
          {histogram.data?.duration && <Speed measure="duration" {...histogram.data.duration} />}
          <Total name={t('summary.cost')} hint={t('summary.costHint')}>
            {shown(stat, stat.data && <Money quota={hasCost(scope) ? stat.data.quota : 0} kind="sum" />)}
          </Total>
          {stat.data?.uncovered && scope.filters.uncovered && <Uncovered uncovered={stat.data.uncovered} />}
          <Total name={t('summary.rpm')} hint={t('summary.rpmHint')} minor>
            {shown(stat, stat.data && formatCount(stat.data.rpm))}
          </Total>
          <Total name={t('summary.tpm')} hint={t('summary.tpmHint')} minor>
            {shown(stat, stat.data && formatCount(stat.data.tpm))}
          </Total>
        </dl>
        {histogram.data && (
          <span className={styles.hint}>
            {t('histogram.hint', { span: bucketText(histogram.data.bucket_seconds) })}
          </span>
        )}
      </div>
      {histogram.data ? (
        <Bars key={histogram.data.start_timestamp} histogram={histogram.data} onZoom={onZoom} />
      ) : histogram.error ? (
        <p className={styles.failed}>{errorText(histogram.error)}</p>
      ) : (
        <div className={styles.loading} />
      )}
    </section>
  )
}

function bucketText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  return seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`
}

/** The server sums billed requests whatever the type filter is. Rows of other types cost nothing. */
const hasCost = ({ filters: { type } }: LogScope) => !type || type === LOG_TYPE.consumption

function shown({ error }: { error: Error | null }, value: ReactNode): ReactNode {
  if (value !== undefined) return value
  return error ? '–' : <SkeletonBlock className={styles.totalLoading} />
}

interface TotalProps {
  name: string
  hint?: string
  mark?: 'requests' | 'errors' | 'interrupted'
  /** Left out on phones. */
  minor?: boolean
  children: ReactNode
}

function Total({ name, hint, mark, minor, children }: TotalProps) {
  return (
    <div className={styles.total} data-minor={minor || undefined} {...(hint && { title: hint })}>
      <dt>
        {mark && <i data-mark={mark} aria-hidden />}
        {name}
      </dt>
      <dd className="number">{children}</dd>
    </div>
  )
}

/** Median and 95th percentile of billed requests, in milliseconds. */
function Speed({ measure, ...times }: { measure: 'firstToken' | 'duration'; p50: number; p95: number }) {
  const { t } = useTranslation('logs')
  return (
    <Total name={t(`histogram.${measure}`)} hint={t('histogram.percentiles')} minor>
      {(['p50', 'p95'] as const).map((rank) => (
        <span key={rank} className={styles.rank}>
          <span>{rank}</span> {formatSpan(times[rank])}
        </span>
      ))}
    </Total>
  )
}

function Uncovered({ uncovered }: { uncovered: NonNullable<LogStat['uncovered']> }) {
  const { t } = useTranslation('logs')
  return (
    <Total name={t('summary.uncovered')} hint={t('summary.uncoveredHint', { count: uncovered.requests })}>
      {uncovered.capped && '≥ '}
      <Money quota={uncovered.quota} kind="sum" />
    </Total>
  )
}

const HEIGHT = 48
/** The smallest visible bar. */
const MIN_BAR = 2
/** A label after this share of the axis ends at its tick. */
const LATE = 0.94

interface BarsProps {
  histogram: LogHistogram
  onZoom(start: number, end: number): void
}

function Bars({ histogram: { buckets, bucket_seconds: seconds }, onZoom }: BarsProps) {
  const { t, i18n } = useTranslation('logs')
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null)
  const start = buckets[0]?.time ?? 0
  const end = start + buckets.length * seconds
  const most = Math.max(1, ...buckets.map(({ requests }) => requests))
  const height = (count: number) => (count === 0 ? 0 : Math.max(MIN_BAR, (count / most) * HEIGHT))
  const indexAt = (event: PointerEvent<SVGSVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    return Math.min(buckets.length - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * buckets.length)))
  }
  const finish = () => {
    if (!drag) return
    const [first, last] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)]
    setDrag(null)
    onZoom(buckets[first]!.time, buckets[last]!.time + seconds - 1)
  }
  return (
    <>
      <svg
        className={styles.bars}
        viewBox={`0 0 ${buckets.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          setDrag({ from: indexAt(event), to: indexAt(event) })
        }}
        onPointerMove={(event) => drag && setDrag({ ...drag, to: indexAt(event) })}
        onPointerUp={finish}
        onPointerCancel={() => setDrag(null)}
      >
        {drag && (
          <rect
            className={styles.selected}
            x={Math.min(drag.from, drag.to)}
            width={Math.abs(drag.to - drag.from) + 1}
            height={HEIGHT}
          />
        )}
        {buckets.map(({ time, requests, errors, interrupted }, index) => {
          const [whole, bad] = [height(requests), height(errors)]
          const late = Math.min(height(interrupted), Math.max(0, whole - bad))
          return (
            <g key={time}>
              <title>
                {`${formatExactTime(time)} · ${t('histogram.bucket', { requests: formatCount(requests), errors: formatCount(errors) })}`}
              </title>
              <rect className={styles.target} x={index} width={1} height={HEIGHT} />
              <rect data-mark="requests" x={index + 0.08} y={HEIGHT - whole} width={0.84} height={whole} />
              <rect data-mark="interrupted" x={index + 0.08} y={HEIGHT - bad - late} width={0.84} height={late} />
              <rect data-mark="errors" x={index + 0.08} y={HEIGHT - bad} width={0.84} height={bad} />
            </g>
          )
        })}
      </svg>
      <div className={styles.axis} aria-hidden>
        {axisTicks(start, end).map(({ time, isDay }) => {
          const share = (time - start) / (end - start)
          return (
            <span key={time} data-late={share > LATE || undefined} style={{ insetInlineStart: `${share * 100}%` }}>
              {isDay
                ? formatDay(time, i18n.resolvedLanguage ?? 'en')
                : formatExactTime(time).slice(11, seconds < 60 ? undefined : 16)}
            </span>
          )
        })}
      </div>
    </>
  )
}

function totalsOf({ buckets }: LogHistogram) {
  const sum = (name: 'requests' | 'errors' | 'interrupted') =>
    buckets.reduce((total, bucket) => total + bucket[name], 0)
  return { requests: sum('requests'), errors: sum('errors'), interrupted: sum('interrupted') }
}

const percent = (share: number) => `${Number((share * 100).toFixed(share < 0.01 ? 2 : 1))}%`

/** Requests in the range, for the page header. */
export function useRequestCount(scope: LogScope): number | undefined {
  const { data } = useQuery(histogramQuery(scope))
  return data && totalsOf(data).requests
}
