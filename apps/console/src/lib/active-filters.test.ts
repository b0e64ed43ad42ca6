import { describe, expect, it } from 'vitest'
import { activeFilters, without, withoutAll } from './active-filters.ts'
import type { TimeRange } from './time-range.ts'

interface Filters extends TimeRange {
  name: string
  place: number | null
}

const none: Filters = { name: '', place: null, range: 'month', start: null, end: null }

describe('the filters of a list', () => {
  it('are those that differ from what it shows to somebody who has not chosen', () => {
    expect(activeFilters(none, none)).toEqual([])
    expect(activeFilters({ ...none, place: 0, range: 'custom', start: 100 }, none)).toEqual(['place', 'range'])
  })

  it('leave the address one by one, a range together with its times', () => {
    expect(without('name')).toEqual({ name: null })
    expect(without('range')).toEqual({ range: null, start: null, end: null })
  })

  it('leave it all at once', () => {
    expect(withoutAll(none)).toEqual({ name: null, place: null, range: null, start: null, end: null })
  })
})
