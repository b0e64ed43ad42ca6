import { useId, type ReactNode } from 'react'
import styles from './account.module.css'

interface Props {
  title: string
  hint?: ReactNode
  /** At the far end of the title. */
  action?: ReactNode
  children?: ReactNode
}

/** One matter of the account under a heading. */
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
