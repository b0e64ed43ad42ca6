import { wholeNumber } from '../../lib/whole-number.ts'
import { toast } from '../../lib/toast.ts'
import { FilterInput } from './filter-input.tsx'

interface Props {
  label: string
  /** Said when something else was typed. */
  invalid: string
  value: number | null
  /** With the number as it was typed; blank takes the filter off. */
  onChange(value: string): void
}

/** A filter by a whole number. */
export function NumberFilter({ label, invalid, value, onChange }: Props) {
  const choose = (text: string) => {
    const typed = text.replace(/^#/, '') // people copy ids as they see them
    if (typed === '' || wholeNumber(typed) !== null) onChange(typed)
    else toast.error(invalid)
  }
  return <FilterInput label={label} value={value === null ? '' : String(value)} onChange={choose} />
}
