import { Select } from '../kit/index.ts'
import styles from './filters.module.css'

interface Props<Value extends string | number> {
  label: string
  value: Value
  options: { value: Value; label: string }[]
  onChange(value: Value): void
}

/** A filter that always has one of its values. */
export function ChoiceFilter<Value extends string | number>({ label, ...choice }: Props<Value>) {
  return <Select<Value> aria-label={label} className={styles.choice} {...choice} />
}

interface OptionalProps {
  label: string
  /** Blank while nothing is chosen. */
  value: string
  options: { value: string; label: string }[]
  /** Room for longer words. */
  wide?: boolean
  searchable?: boolean
  loading?: boolean
  onChange(value: string | null): void
}

/** A filter by one of several values, or by none of them. */
export function OptionalChoiceFilter({ label, value, wide, searchable, onChange, ...choice }: OptionalProps) {
  return (
    <Select<string | null>
      aria-label={label}
      className={wide ? styles.wideChoice : styles.choice}
      placeholder={label}
      allowClear
      {...(searchable && { showSearch: true })}
      value={value || null}
      onChange={(chosen) => onChange(chosen ?? null)}
      {...choice}
    />
  )
}
