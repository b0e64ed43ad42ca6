import { useTranslation } from 'react-i18next'
import { formatExactTime } from '../lib/format.ts'
import styles from './health-strip.module.css'

export interface HealthPart {
  /** Start, in Unix seconds. */
  time: number
  succeeded: number
  failed: number
  averageMs: number
}

const WIDTH = 4
const GAP = 2
const HEIGHT = 18
const MIN_BAR = 5

/** Attempts over time: the color of a bar shows the share of failures, its height the number of attempts. */
export function HealthStrip({ parts, label }: { parts: readonly HealthPart[]; label: string }) {
  const { t } = useTranslation()
  const total = summarize(parts)
  const most = Math.max(...parts.map(({ succeeded, failed }) => succeeded + failed))
  const text =
    total.calls === 0
      ? t('health.idle')
      : t('health.sum', {
          calls: total.calls,
          share: successShare(total),
          seconds: (total.averageMs / 1000).toFixed(1),
        })
  return (
    <span className={styles.strip} title={text}>
      <svg width={parts.length * (WIDTH + GAP) - GAP} height={HEIGHT} aria-hidden focusable="false">
        {parts.map((part, index) => {
          const state = healthState(part)
          if (state === 'idle') return null
          const height = MIN_BAR + ((part.succeeded + part.failed) / most) * (HEIGHT - MIN_BAR)
          return (
            <rect
              key={part.time}
              x={index * (WIDTH + GAP)}
              y={HEIGHT - height}
              width={WIDTH}
              height={height}
              rx={1}
              data-state={state}
            >
              <title>
                {t('health.part', {
                  time: formatExactTime(part.time).slice(11, 16),
                  succeeded: part.succeeded,
                  failed: part.failed,
                })}
              </title>
            </rect>
          )
        })}
      </svg>
      <span className="visually-hidden">
        {label}: {text}
      </span>
      <SuccessShare counts={total} />
    </span>
  )
}

/** The share of successful attempts, such as 99.6%. */
export function SuccessShare({ counts }: { counts: Counts }) {
  const state = healthState(counts)
  return (
    <span aria-hidden className={styles.share} data-state={state}>
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

/** More than this share of failures is bad, anything above the second is a warning. */
const BAD_SHARE = 0.2
const WARN_SHARE = 0.01

export function healthState({ succeeded, failed }: Counts): 'idle' | 'good' | 'warn' | 'bad' {
  const calls = succeeded + failed
  if (calls === 0) return 'idle'
  if (failed / calls >= BAD_SHARE) return 'bad'
  return failed / calls > WARN_SHARE ? 'warn' : 'good'
}

/** Rounded down: one failure in ten thousand attempts is not 100%. */
export function successShare({ succeeded, failed }: Counts): string {
  const percent = Math.floor((succeeded / (succeeded + failed)) * 1000) / 10
  return percent === 100 ? '100%' : `${percent.toFixed(1)}%`
}
