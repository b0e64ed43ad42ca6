import type { ReactNode } from 'react'
import styles from './status-chips.module.css'

interface Chip<Value> {
  value: Value
  label: string
  mark?: ReactNode
  /** Undefined until it is loaded. */
  count: number | undefined
}

interface Props<Value extends string> {
  label: string
  /** Blank if the list has rows of every state. */
  value: Value
  chips: readonly Chip<Value>[]
  onChange(value: Value | ''): void
}

/** Filters a list by state, with the number of rows in each state. A click on the selected state removes the filter. */
export function StatusChips<Value extends string>({ label, value, chips, onChange }: Props<Value>) {
  return (
    <fieldset className={styles.chips} aria-label={label}>
      {chips.map((chip) => (
        <button
          key={chip.value}
          type="button"
          className={styles.chip}
          aria-pressed={chip.value === value}
          onClick={() => onChange(chip.value === value ? '' : chip.value)}
        >
          {chip.mark}
          {chip.label}
          <span className="number">{chip.count ?? '–'}</span>
        </button>
      ))}
    </fieldset>
  )
}
