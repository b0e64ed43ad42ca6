import styles from './skeleton.module.css'

/*
 * Grey shapes in place of content that still loads. They have the layout of what follows, so that nothing moves when it
 * arrives. Screen readers get the label of the element around them.
 */

interface LinesProps {
  lines: number
  /** The first line is a heading. */
  title?: boolean
  className?: string | undefined
}

/** Text. The last line is shorter. */
export function SkeletonLines({ lines, title = false, className = '' }: LinesProps) {
  return (
    <span className={`${styles.lines} ${className}`} aria-hidden data-skeleton>
      {title && <i className={styles.title} />}
      {count(lines).map((line) => (
        <i key={line} className={styles.line} />
      ))}
    </span>
  )
}

/** Fields below their labels; wide: beside their labels, as in the settings. */
export function SkeletonForm({ fields, wide = false }: { fields: number; wide?: boolean }) {
  return (
    <span className={styles.form} data-wide={wide || undefined} aria-hidden data-skeleton>
      {count(fields).map((field) => (
        <span key={field} className={styles.field}>
          <i className={styles.label} />
          <i className={styles.control} />
        </span>
      ))}
    </span>
  )
}

/** The rows of a table with its header, or the cards of a phone. */
export function SkeletonRows({ rows, cards = false }: { rows: number; cards?: boolean }) {
  return (
    <span className={styles.rows} data-cards={cards || undefined} aria-hidden data-skeleton>
      {!cards && <SkeletonRow />}
      {count(rows).map((row) => (
        <SkeletonRow key={row} />
      ))}
    </span>
  )
}

function SkeletonRow() {
  return (
    <span className={styles.row}>
      <i className={styles.name} />
      <i className={styles.cell} />
      <i className={styles.cell} />
      <i className={styles.cell} />
    </span>
  )
}

/** A chart, a number or another single shape, as large as its class makes it. */
export const SkeletonBlock = ({ className }: { className: string | undefined }) => (
  <span className={`${styles.block} ${className ?? ''}`} aria-hidden data-skeleton />
)

const count = (length: number) => Array.from({ length }, (_, index) => index)
