import { lazy, Suspense } from 'react'
import { RANGES, type RangeName, type TimeRange } from '../../lib/time-range.ts'
import { ChoiceFilter } from './choice-filter.tsx'

/** The date picker is heavy, and few people need it. */
const CustomRange = lazy(() => import('./custom-range.tsx'))

interface Words {
  label: string
  /** Of the two times of a range of one's own. */
  custom: string
  from: string
  to: string
}

export interface TimeRangeProps {
  value: TimeRange
  words: Words
  nameOf(range: RangeName): string
  onChange(value: TimeRange): void
}

/** From when to when a list looks: a range by its name, or two times. */
export function TimeRangeFilter({ value, words, nameOf, onChange }: TimeRangeProps) {
  return (
    <>
      <ChoiceFilter
        label={words.label}
        value={value.range}
        onChange={(range) => onChange({ range, start: null, end: null })}
        options={RANGES.map((range) => ({ value: range, label: nameOf(range) }))}
      />
      {value.range === 'custom' && (
        <Suspense>
          <CustomRange value={value} words={words} onChange={onChange} />
        </Suspense>
      )}
    </>
  )
}
