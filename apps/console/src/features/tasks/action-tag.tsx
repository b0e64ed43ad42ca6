import type { CSSProperties, ReactNode } from 'react'
import { StatusTag } from '../../ui/feedback/status-tag.tsx'
import styles from './tasks.module.css'

/** Neighbours in a list are far apart on the colour circle, so that related actions do not look alike. */
const HUE_STEP = 137.5
const FIRST_HUE = 250

interface Props {
  /** Its place among the actions of its kind, which gives it a colour of its own; -1 for one that is not known. */
  place: number
  /** As the wire has it. */
  action: string
  children: ReactNode
}

/** What was ordered. */
export function ActionTag({ place, action, children }: Props) {
  if (place < 0) {
    return (
      <StatusTag tone="neutral" plain>
        {children}
      </StatusTag>
    )
  }
  const hue = Math.round((FIRST_HUE + place * HUE_STEP) % 360)
  return (
    <span className={styles.hue} style={{ '--hue': hue } as CSSProperties} title={action}>
      {children}
    </span>
  )
}
