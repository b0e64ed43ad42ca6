import type { ReactNode } from 'react'
import styles from './facts.module.css'

interface Props {
  facts: { term: string; value: ReactNode }[]
}

/** A list of terms and values. Uses several columns on wide screens. */
export function Facts({ facts }: Props) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ term, value }) => (
        <div key={term} className={styles.fact}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
