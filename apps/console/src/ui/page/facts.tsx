import type { ReactNode } from 'react'
import styles from './facts.module.css'

interface Props {
  facts: { term: string; value: ReactNode }[]
}

/** Terms and values, in columns where there is room. */
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
