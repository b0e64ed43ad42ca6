import type { ComponentProps } from 'react'
import styles from './row-button.module.css'

interface Props extends Omit<ComponentProps<'button'>, 'type' | 'className'> {
  /** Accessible name with the action and the row. Must contain the visible text. */
  label: string
  /** Adds a border. */
  outlined?: boolean
  /** Fills the button, for a row that needs this action. */
  primary?: boolean
  busy?: boolean
  /** Enter on the row triggers this button. */
  main?: boolean
}

/** A small button for rows. A native button, because a list may render hundreds of them. */
export function RowButton({
  label,
  outlined = false,
  primary = false,
  busy = false,
  main = false,
  onClick,
  ...rest
}: Props) {
  return (
    <button
      type="button"
      className={styles.button}
      data-outlined={outlined || undefined}
      data-primary={primary || undefined}
      aria-label={label}
      aria-disabled={busy || undefined}
      data-busy={busy || undefined}
      data-main={main || undefined}
      {...(!busy && { onClick })}
      {...rest}
    />
  )
}

interface NameProps {
  /** Accessible name with the action and the row. Must contain the visible text. */
  label: string
  children: string
  onClick(): void
}

/** The name of a row. Opens the row, as Enter does. */
export function RowName({ label, children, onClick }: NameProps) {
  return (
    <button type="button" className={styles.name} title={children} aria-label={label} data-main onClick={onClick}>
      {children}
    </button>
  )
}
