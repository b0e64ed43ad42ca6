import type { ReactNode } from 'react'
import styles from './count-chips.module.css'

interface Props<Value extends string> {
  label: string
  value: Value
  chips: readonly { value: Value; label: string; count: number | undefined; mark?: ReactNode }[]
  onChange(value: Value): void
}

/** One filter as chips above a list, each with the number of its rows. */
export function CountChips<Value extends string>({ label, value, chips, onChange }: Props<Value>) {
  return (
    <fieldset className={styles.chips} aria-label={label}>
      {chips.map((chip) => (
        <button
          key={chip.value}
          type="button"
          className={styles.chip}
          aria-pressed={chip.value === value}
          onClick={() => onChange(chip.value)}
        >
          {chip.mark}
          {chip.label}
          <span className="number">{chip.count ?? '–'}</span>
        </button>
      ))}
    </fieldset>
  )
}
