import { wholeNumber } from '../../lib/whole-number.ts'
import { toast } from '../../lib/toast.ts'
import { FilterInput } from './filter-input.tsx'

interface Props {
  label: string
  /** Error message for an invalid number. */
  invalid: string
  value: number | null
  /** Receives the number as text. An empty text removes the filter. */
  onChange(value: string): void
}

/** A filter by a whole number. */
export function NumberFilter({ label, invalid, value, onChange }: Props) {
  const choose = (text: string) => {
    const digits = text.replace(/^#/, '') // IDs are displayed and copied with a number sign
    if (digits === '' || wholeNumber(digits) !== null) onChange(digits)
    else toast.error(invalid)
  }
  return <FilterInput label={label} value={value === null ? '' : String(value)} onChange={choose} />
}
