import { useId, type ReactNode } from 'react'
import styles from './account.module.css'

interface Props {
  title: string
  hint?: ReactNode
  /** A button at the end of the title row. */
  action?: ReactNode
  children?: ReactNode
}

export function Card({ title, hint, action, children }: Props) {
  const id = useId()
  return (
    <section className={styles.card} aria-labelledby={id}>
      <div className={styles.head}>
        <div className={styles.heading}>
          <h2 id={id}>{title}</h2>
          {hint && <p className={styles.hint}>{hint}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}
