import type { ReactNode } from 'react'
import styles from '../dashboard.module.css'

interface Props {
  title: string
  /** A short fact beside the title. */
  aside?: ReactNode
  action?: ReactNode
  children: ReactNode
}

/** One part of the dashboard in its frame. */
export function Panel({ title, aside, action, children }: Props) {
  return (
    <section className={styles.panel} aria-label={title}>
      <header className={styles.panelHead}>
        <h2 className={styles.panelTitle}>{title}</h2>
        {aside && <span className={styles.panelAside}>{aside}</span>}
        {action && <div className={styles.panelAction}>{action}</div>}
      </header>
      {children}
    </section>
  )
}
