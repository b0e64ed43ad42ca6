import dayjs from 'dayjs'
import type { FilterChanges } from '../../lib/filters/active-filters.ts'
import { RANGES, type RangeName, type TimeRange } from '../../lib/filters/time-range.ts'
import { DatePicker } from '../kit/index.ts'
import { ChoiceFilter } from './choice-filter.tsx'
import styles from './filters.module.css'

interface Words {
  label: string
  /** Of the two times of a range of one's own. */
  custom: string
  from: string
  to: string
}

interface Props {
  value: TimeRange
  /** Applies when nothing is chosen, and needs no place in the address. */
  usual: RangeName
  words: Words
  nameOf(range: RangeName): string
  onChange(changes: FilterChanges): void
}

/** From when to when a list looks: a range by its name, or two times. */
export function TimeRangeFilter({ value, usual, words, nameOf, onChange }: Props) {
  return (
    <>
      <ChoiceFilter
        label={words.label}
        value={value.range}
        onChange={(range) => onChange({ range: range === usual ? null : range, start: null, end: null })}
        options={RANGES.map((range) => ({ value: range, label: nameOf(range) }))}
      />
      {value.range === 'custom' && <CustomRange value={value} words={words} onChange={onChange} />}
    </>
  )
}

/** Two times, either of which may stay open. */
function CustomRange({ value: { start, end }, words, onChange }: Pick<Props, 'value' | 'words' | 'onChange'>) {
  return (
    <DatePicker.RangePicker
      aria-label={words.custom}
      className={styles.range}
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm"
      allowEmpty={[true, true]}
      placeholder={[words.from, words.to]}
      value={[start === null ? null : dayjs.unix(start), end === null ? null : dayjs.unix(end)]}
      onChange={(times) => onChange({ start: times?.[0]?.unix() ?? null, end: times?.[1]?.unix() ?? null })}
    />
  )
}
