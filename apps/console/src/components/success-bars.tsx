import styles from './success-bars.module.css'

export interface SuccessPart {
  key: number
  succeeded: number
  failed: number
  /** Shown on hover. */
  title?: string
}

interface Props {
  parts: readonly SuccessPart[]
  height: number
  width: number
  gap: number
  /** The height of a bar shows its number of requests. Otherwise all bars have the full height. */
  isScaled?: boolean
  /** Fills the width of its container. */
  isStretched?: boolean
}

const LOWEST_BAR = 5
/** Visible even for one failure in thousands. */
const LOWEST_FAILED = 3

/** Requests over time as stacked bars: failed ones on top of successful ones. Hidden from screen readers. */
export function SuccessBars({ parts, height, width, gap, isScaled = false, isStretched = false }: Props) {
  const most = Math.max(...parts.map(totalOf))
  const step = width + gap
  const whole = parts.length * step - gap
  return (
    <svg
      className={styles.bars}
      height={height}
      {...(isStretched ? { width: '100%', preserveAspectRatio: 'none' } : { width: whole })}
      viewBox={`0 0 ${whole} ${height}`}
      aria-hidden
      focusable="false"
    >
      {parts.map((part, index) => {
        const total = totalOf(part)
        const bar = total === 0 ? 0 : isScaled ? LOWEST_BAR + (total / most) * (height - LOWEST_BAR) : height
        const failed = part.failed === 0 ? 0 : Math.max((part.failed / total) * bar, LOWEST_FAILED)
        const at = { x: index * step, width }
        return (
          <g key={part.key}>
            {part.title !== undefined && <title>{part.title}</title>}
            {bar < height && <rect {...at} height={height - bar} data-part="idle" />}
            {failed < bar && <rect {...at} y={height - bar + failed} height={bar - failed} data-part="succeeded" />}
            {failed > 0 && <rect {...at} y={height - bar} height={failed} data-part="failed" />}
          </g>
        )
      })}
    </svg>
  )
}

const totalOf = ({ succeeded, failed }: SuccessPart) => succeeded + failed
