import type { ComponentProps } from 'react'
import styles from './row-button.module.css'

interface Props extends Omit<ComponentProps<'button'>, 'type' | 'className'> {
  /** What it does and to what, for people who cannot see the row. Holds the words on the button. */
  label: string
  /** With an edge, for what a row is mostly there for. */
  outlined?: boolean
  busy?: boolean
  /** What Enter on the row does. */
  main?: boolean
}

/** A small button for rows. It is plain, because a list may draw hundreds of them. */
export function RowButton({ label, outlined = false, busy = false, main = false, onClick, ...rest }: Props) {
  return (
    <button
      type="button"
      className={styles.button}
      data-outlined={outlined || undefined}
      aria-label={label}
      aria-disabled={busy || undefined}
      data-busy={busy || undefined}
      data-main={main || undefined}
      {...(!busy && { onClick })}
      {...rest}
    />
  )
}
