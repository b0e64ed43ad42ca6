import { lazy, Suspense } from 'react'
import { RANGES, type RangeName, type TimeRange } from '../../lib/time-range.ts'
import { ChoiceFilter } from './choice-filter.tsx'

/** Loaded on demand, because the date picker is large and rarely used. */
const CustomRange = lazy(() => import('./custom-range.tsx'))

interface Words {
  label: string
  /** Labels of a custom range. */
  custom: string
  from: string
  to: string
}

export interface TimeRangeProps {
  /** The default range. */
  usual: RangeName
  value: TimeRange
  words: Words
  nameOf(range: RangeName): string
  onChange(value: TimeRange): void
}

/** The time range of a list: a preset, or a custom start and end. */
export function TimeRangeFilter({ usual, value, words, nameOf, onChange }: TimeRangeProps) {
  return (
    <>
      <ChoiceFilter
        label={words.label}
        value={value.range}
        onChange={(range) => onChange({ range, start: null, end: null })}
        options={[...(usual === 'all' ? (['all'] as const) : []), ...RANGES].map((range) => ({
          value: range,
          label: nameOf(range),
        }))}
      />
      {value.range === 'custom' && (
        <Suspense>
          <CustomRange value={value} words={words} onChange={onChange} />
        </Suspense>
      )}
    </>
  )
}
