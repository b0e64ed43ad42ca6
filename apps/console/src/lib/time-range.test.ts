import { describe, expect, it } from 'vitest'
import { formatExactTime } from './format.ts'
import { boundsOf, rangeInWords, readTimeRange } from './time-range.ts'

const range = (search: string) => readTimeRange(new URLSearchParams(search), 'month')
const noon = new Date(2026, 10, 15, 12)
const midnight = (day: number, month = 10) => Math.floor(new Date(2026, month, day).getTime() / 1000)
const inOneHour = Math.floor(noon.getTime() / 1000) + 3600

describe('time range', () => {
  it.each([
    ['', midnight(17, 9), inOneHour],
    ['range=today', midnight(15), inOneHour],
    ['range=yesterday', midnight(14), midnight(15) - 1],
    ['range=week', midnight(9), inOneHour],
    ['range=custom&start=100&end=200', 100, 200],
    ['range=custom&end=200', null, 200],
    ['start=100', 100, null],
  ])('has start and end times for the query %j', (search, start, end) => {
    expect(boundsOf(range(search), noon)).toEqual({ start, end })
  })

  it('is the default for an invalid query', () => {
    expect(range('range=forever&start=soon&end=-1')).toEqual({ range: 'month', start: null, end: null })
  })

  it('has no start and end for all time', () => {
    const all = readTimeRange(new URLSearchParams(), 'all')

    expect(all.range).toBe('all')
    expect(boundsOf(all, noon)).toEqual({ start: null, end: null })
  })

  it('is formatted as its name, or as its times to the minute', () => {
    expect(rangeInWords(range('range=week'), (name) => `the ${name}`)).toBe('the week')
    expect(rangeInWords(range(`range=custom&end=${midnight(15)}`), String)).toBe(
      `… – ${formatExactTime(midnight(15)).replace(/:00$/, '')}`,
    )
  })
})
