import { describe, expect, it } from 'vitest'
import { activeFilters, readFilters } from '../../ui/filters/define-filters.ts'
import { periodFilters, periodQueryOf, requestFilters, requestQueryOf } from './filters.ts'

const period = (search: string) => readFilters(periodFilters, new URLSearchParams(search)).range
const filters = (search: string) => readFilters(requestFilters, new URLSearchParams(search))
const noon = new Date(2026, 10, 15, 12)
const midnight = (day: number) => Math.floor(new Date(2026, 10, day).getTime() / 1000)
const oneHourLater = Math.floor(noon.getTime() / 1000) + 3600

describe('the filters of shadow mode', () => {
  it('use the last seven days if no period is chosen', () => {
    expect(periodQueryOf(period(''), noon)).toEqual({ start: midnight(9), end: oneHourLater })
    expect(requestQueryOf(filters(''))).toEqual({})
  })

  it('filter the requests by model and outcome, apart from the period', () => {
    const search = 'model=gpt-4o&only=refused&range=custom&start=100&end=200'

    expect(requestQueryOf(filters(search))).toEqual({ model_name: 'gpt-4o', only: 'refused' })
    expect(activeFilters(requestFilters, filters(search))).toEqual(['model', 'only'])
    expect(periodQueryOf(period(search), noon)).toEqual({ start: 100, end: 200 })
  })

  it('ignore unknown values', () => {
    expect(requestQueryOf(filters('only=lost'))).toEqual({})
    expect(requestQueryOf(filters('only=all'))).toEqual({})
    expect(period('range=forever').range).toBe('week')
  })
})
