import { useId, type ReactNode } from 'react'
import styles from './wallet.module.css'

interface Props {
  title: string
  hint?: string
  children: ReactNode
}

/** One matter of the wallet under a heading. */
export function Card({ title, hint, children }: Props) {
  const id = useId()
  return (
    <section className={styles.card} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {hint && <p className={styles.hint}>{hint}</p>}
      {children}
    </section>
  )
}
