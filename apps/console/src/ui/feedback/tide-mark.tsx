import type { ReactNode } from 'react'
import styles from './states.module.css'

export type TideState = 'empty' | 'clear' | 'failed'

interface Props {
  /** `empty`: pale outer bars. `clear`: higher water level. `failed`: red, with a lowered middle bar. */
  state: TideState
  /** A small icon beside the bars. */
  badge?: ReactNode
}

/** The product logo as an illustration for empty and error states. */
export function TideMark({ state, badge }: Props) {
  const level = state === 'clear' ? 52 : 62
  const opacity = state === 'empty' ? 0.35 : 1
  return (
    <div className={styles.mark} data-state={state} aria-hidden>
      <svg width="168" height="84" viewBox="-18 0 168 84">
        <path className={styles.water} d={`M-44 ${level}${WAVES}v40H-44z`} />
        <g className={styles.bars}>
          <rect x="46" y="26" width="10" height="44" rx="5" opacity={opacity} />
          <rect x="61" y={state === 'failed' ? 34 : 12} width="10" height="36" rx="5" />
          <rect x="76" y="26" width="10" height="44" rx="5" opacity={opacity} />
        </g>
        <path className={styles.wave} d={`M-44 ${level + 6}${WAVES}`} />
      </svg>
      {badge && <span className={styles.badge}>{badge}</span>}
    </div>
  )
}

const WAVES = 'c16-7 28-7 44 0s28 7 44 0 28-7 44 0 28 7 44 0 28-7 44 0'
