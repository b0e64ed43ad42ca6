import type { ReactNode } from 'react'
import styles from './chart.module.css'

export interface RingPart {
  key: string
  color: string
  value: number
  /** What it is and how much, on hover. */
  title: string
}

interface Props {
  /** What the picture says, in a sentence, for people who cannot see it. */
  label: string
  parts: readonly RingPart[]
  /** What it all adds up to. */
  children: ReactNode
}

const SIZE = 200
const WIDTH = 26
const RADIUS = (SIZE - WIDTH) / 2
/** Of the whole; smaller parts have no gap, or there would be nothing left of them. */
const GAP = 0.004

/** Shares of a whole, as parts of a ring that begins at the top. */
export function Ring({ label, parts, children }: Props) {
  return (
    <figure className={styles.ring} aria-label={label}>
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} width={SIZE} height={SIZE} aria-hidden focusable="false">
        {arcsOf(parts).map(({ key, color, title, start, share }) => (
          <circle
            key={key}
            className={styles.ringPart}
            cx={SIZE / 2}
            cy={SIZE / 2}
            r={RADIUS}
            pathLength={1}
            stroke={color}
            strokeWidth={WIDTH}
            strokeDasharray={`${share} ${1 - share}`}
            strokeDashoffset={-start}
          >
            <title>{title}</title>
          </circle>
        ))}
      </svg>
      <figcaption className={styles.ringMiddle}>{children}</figcaption>
    </figure>
  )
}

function arcsOf(parts: readonly RingPart[]): (RingPart & { start: number; share: number })[] {
  const whole = parts.reduce((sum, { value }) => sum + value, 0)
  let start = 0
  return parts.map((part) => {
    const share = whole > 0 ? part.value / whole : 0
    const drawn = share > GAP * 2 && share < 1 ? share - GAP : share
    const arc = { ...part, start, share: drawn }
    start += share
    return arc
  })
}
