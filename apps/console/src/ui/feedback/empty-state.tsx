import type { ReactNode } from 'react'
import styles from './states.module.css'
import { TideMark, type TideState } from './tide-mark.tsx'

interface Props {
  title: string
  /** One sentence on what the place is for. */
  hint?: string
  /** The action that fills the place. */
  action?: ReactNode
  /** A small symbol beside the mark. */
  icon?: ReactNode
  tide?: TideState
  /** The title is the heading of the page. */
  isPage?: boolean
}

export function EmptyState({ title, hint, action, icon, tide = 'empty', isPage = false }: Props) {
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <div className={styles.state}>
      <TideMark state={tide} badge={icon} />
      <Heading className={styles.title}>{title}</Heading>
      {hint && <p className={styles.hint}>{hint}</p>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
