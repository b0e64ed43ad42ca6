import type { ReactNode } from 'react'
import styles from './row-card.module.css'

interface Props {
  title: ReactNode
  /** The second fact that matters, at the far end. */
  aside?: ReactNode
  children?: ReactNode
  actions?: ReactNode
}

/** A row of a table as a card: two facts on top, the rest beneath, actions last. */
export function RowCard({ title, aside, children, actions }: Props) {
  return (
    <article className={styles.card}>
      <div className={styles.top}>
        <div className={styles.title}>{title}</div>
        {aside && <div className={styles.aside}>{aside}</div>}
      </div>
      {children}
      {actions && <div className={styles.actions}>{actions}</div>}
    </article>
  )
}
