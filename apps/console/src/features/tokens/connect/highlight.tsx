import type { ReactNode } from 'react'
import styles from './connect.module.css'

/** Quoted texts; the rest of a short program is read well enough in one colour. */
const QUOTED = /("(?:[^"\\\n]|\\.)*"|'[^']*')/g

/** Draws code with what the reader looks for, the values, in a colour of their own. */
export function highlight(code: string): ReactNode[] {
  const parts = code.split(QUOTED) // every second one is quoted
  return parts.map((part, index) =>
    index % 2 === 0 || parts[index + 1]!.startsWith(':') ? (
      part // a name in JSON is quoted too
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of a text have no name but their place
      <span key={index} className={styles.value}>
        {part}
      </span>
    ),
  )
}
