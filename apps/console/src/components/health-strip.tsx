import { FAILING_CHANNEL } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { formatExactTime } from '../lib/format.ts'
import styles from './health-strip.module.css'
import { SuccessBars } from './success-bars.tsx'

export interface HealthPart {
  /** Start, in Unix seconds. */
  time: number
  succeeded: number
  failed: number
  averageMs: number
}

interface Props {
  parts: readonly HealthPart[]
  label: string
  /** Overrides what the numbers say: the state that the row shows. */
  isFailing?: boolean
}

/** Attempts over time, and the share of successful ones. */
export function HealthStrip({ parts, label, isFailing }: Props) {
  const { t } = useTranslation()
  const total = summarize(parts)
  if (total.calls === 0) {
    return (
      <span className={styles.none} title={t('health.idle')}>
        <span className="visually-hidden">{label}: </span>
        {t('health.none')}
      </span>
    )
  }
  const text = t('health.sum', {
    calls: total.calls,
    share: successShare(total),
    seconds: (total.averageMs / 1000).toFixed(1),
  })
  return (
    <span className={styles.strip} title={text}>
      <SuccessBars
        height={18}
        width={4}
        gap={2}
        isScaled
        parts={parts.map(({ time, succeeded, failed }) => ({
          key: time,
          succeeded,
          failed,
          title: t('health.part', { time: formatExactTime(time).slice(11, 16), succeeded, failed }),
        }))}
      />
      <span className="visually-hidden">
        {label}: {text}
      </span>
      <SuccessShare counts={total} {...(isFailing !== undefined && { isFailing })} />
    </span>
  )
}

/** Keeps the width of the column. */
export const HealthStripLoading = () => <span className={styles.none} />

/** The share of successful attempts, such as 99.6%. Red in a failing row only. */
export function SuccessShare({ counts, isFailing }: { counts: Counts; isFailing?: boolean }) {
  const state = healthState(counts)
  return (
    <span aria-hidden className={styles.share} data-failing={(isFailing ?? state === 'bad') || undefined}>
      {state === 'idle' ? '–' : successShare(counts)}
    </span>
  )
}

type Counts = Pick<HealthPart, 'succeeded' | 'failed'>

/** The sum of all parts. The average is over successful attempts. */
export function summarize(parts: readonly HealthPart[]): Counts & { calls: number; averageMs: number } {
  const succeeded = parts.reduce((sum, part) => sum + part.succeeded, 0)
  const failed = parts.reduce((sum, part) => sum + part.failed, 0)
  const duration = parts.reduce((sum, part) => sum + part.succeeded * part.averageMs, 0)
  return { succeeded, failed, calls: succeeded + failed, averageMs: succeeded === 0 ? 0 : duration / succeeded }
}

/** By the rule for a failing channel. */
export function healthState({ succeeded, failed }: Counts): 'idle' | 'good' | 'bad' {
  const calls = succeeded + failed
  if (calls === 0) return 'idle'
  return failed >= FAILING_CHANNEL.attempts && failed / calls >= FAILING_CHANNEL.share ? 'bad' : 'good'
}

/** Rounded down: one failure in ten thousand attempts is not 100%. */
export function successShare({ succeeded, failed }: Counts): string {
  const percent = Math.floor((succeeded / (succeeded + failed)) * 1000) / 10
  return percent === 100 ? '100%' : `${percent.toFixed(1)}%`
}
