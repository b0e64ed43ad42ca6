import { useTranslation } from 'react-i18next'
import styles from './health-strip.module.css'

export interface HealthPart {
  /** Unix seconds at which it begins. */
  time: number
  succeeded: number
  failed: number
  averageMs: number
}

const WIDTH = 4
const GAP = 1
const HEIGHT = 16
const LOWEST_BAR = 4
/** A bar of full height took this long or longer. */
const SLOW_MS = 10_000

/** How a stretch of time went: the colour of a bar says what failed, its height how long answers took. */
export function HealthStrip({ parts, label }: { parts: readonly HealthPart[]; label: string }) {
  const { t } = useTranslation()
  const sum = summarise(parts)
  const words =
    sum.calls === 0
      ? t('health.idle')
      : t('health.sum', { calls: sum.calls, share: share(sum), seconds: (sum.averageMs / 1000).toFixed(1) })
  return (
    <span className={styles.strip} title={words}>
      <svg width={parts.length * (WIDTH + GAP) - GAP} height={HEIGHT} aria-hidden focusable="false">
        {parts.map((part, index) =>
          stateOf(part) === 'idle' ? null : (
            <rect
              key={part.time}
              x={index * (WIDTH + GAP)}
              y={HEIGHT - barHeight(part)}
              width={WIDTH}
              height={barHeight(part)}
              rx={1}
              data-state={stateOf(part)}
            />
          ),
        )}
      </svg>
      <span className="visually-hidden">
        {label}: {words}
      </span>
      <span aria-hidden className={styles.share} data-state={sum.calls === 0 ? 'idle' : stateOf(sum)}>
        {sum.calls === 0 ? '–' : share(sum)}
      </span>
    </span>
  )
}

type Counts = Pick<HealthPart, 'succeeded' | 'failed'>

/** All parts as one; the average is that of the answers, not of the parts. */
export function summarise(parts: readonly HealthPart[]): Counts & { calls: number; averageMs: number } {
  const succeeded = parts.reduce((sum, part) => sum + part.succeeded, 0)
  const failed = parts.reduce((sum, part) => sum + part.failed, 0)
  const waited = parts.reduce((sum, part) => sum + part.succeeded * part.averageMs, 0)
  return { succeeded, failed, calls: succeeded + failed, averageMs: succeeded === 0 ? 0 : waited / succeeded }
}

function stateOf({ succeeded, failed }: Counts): 'idle' | 'good' | 'warn' | 'bad' {
  if (succeeded + failed === 0) return 'idle'
  if (failed === 0) return 'good'
  return failed * 2 > succeeded + failed ? 'bad' : 'warn'
}

/** Rounded down: one failure among a thousand calls is not 100%. */
function share({ succeeded, failed }: Counts): string {
  return `${Math.floor((succeeded / (succeeded + failed)) * 100)}%`
}

/** Logarithmic, so that half a second and five can be told apart as well as one minute and two. */
function barHeight({ succeeded, averageMs }: HealthPart): number {
  if (succeeded === 0) return HEIGHT
  const slowness = Math.min(Math.log1p(averageMs / 100) / Math.log1p(SLOW_MS / 100), 1)
  return LOWEST_BAR + slowness * (HEIGHT - LOWEST_BAR)
}
