import type { ReactNode } from 'react'
import styles from './narrow-panel.module.css'

interface Props {
  title: string
  purpose?: ReactNode
  width?: 'small' | 'medium'
  children: ReactNode
}

/** One form in the middle of the page: login, setup. */
export function NarrowPanel({ title, purpose, width = 'small', children }: Props) {
  return (
    <div className={styles.place}>
      <section className={styles.panel} data-width={width} aria-labelledby="panel-title">
        <h1 id="panel-title" className={styles.title}>
          {title}
        </h1>
        {purpose && <p className={styles.purpose}>{purpose}</p>}
        {children}
      </section>
    </div>
  )
}
