import { describe, expect, it } from 'vitest'
import { callsQuery, listFilters, NO_FILTERS, periodQuery, readFilters } from './shadow-filters.ts'

const filters = (search: string) => readFilters(new URLSearchParams(search))
const noon = new Date(2026, 10, 15, 12)
const midnight = (day: number) => Math.floor(new Date(2026, 10, day).getTime() / 1000)
const anHourOn = Math.floor(noon.getTime() / 1000) + 3600

describe('the filters of shadow mode', () => {
  it('look at the last seven days when nothing is chosen', () => {
    expect(filters('')).toEqual(NO_FILTERS)
    expect(periodQuery(filters(''), noon)).toEqual({ start: midnight(9), end: anHourOn })
    expect(callsQuery(filters(''), noon)).toEqual({ start: midnight(9), end: anHourOn })
  })

  it('narrow the list by model and by what became of the calls', () => {
    const chosen = filters('model=gpt-4o&only=refused&range=custom&start=100&end=200')

    expect(callsQuery(chosen, noon)).toEqual({ start: 100, end: 200, model_name: 'gpt-4o', only: 'refused' })
    expect(listFilters(chosen)).toEqual(['model', 'only'])
    expect(periodQuery(chosen, noon)).toEqual({ start: 100, end: 200 })
  })

  it('pass over what is not known', () => {
    expect(filters('only=lost&range=forever')).toEqual(NO_FILTERS)
  })
})
