import { useId, type ReactNode } from 'react'
import styles from './security.module.css'

interface Props {
  title: string
  hint: string
  /** Beside the title: a word on how things stand. */
  tag?: ReactNode
  /** At the far end of the title. */
  action?: ReactNode
  children?: ReactNode
}

/** One matter of the account's security under a heading. */
export function Panel({ title, hint, tag, action, children }: Props) {
  const id = useId()
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <div className={styles.head}>
        <div className={styles.heading}>
          <div className={styles.title}>
            <h2 id={id}>{title}</h2>
            {tag}
          </div>
          <p className={styles.hint}>{hint}</p>
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}
