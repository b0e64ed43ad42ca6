import { describe, expect, it } from 'vitest'
import { filterQuery, isFiltered, readFilters } from './log-filters.ts'

const filters = (search: string) => readFilters(new URLSearchParams(search))
const noon = new Date(2026, 10, 15, 12)
const midnight = (day: number) => Math.floor(new Date(2026, 10, day).getTime() / 1000)

describe('the filters of the usage log', () => {
  it('reach back seven days, today included, when the address says nothing', () => {
    expect(filterQuery(filters(''), noon)).toEqual({ start_timestamp: midnight(9) })
    expect(isFiltered(filters(''))).toBe(false)
  })

  it('are read from the address', () => {
    expect(filterQuery(filters('model=gpt-4o&token=laptop&username=mira&type=2&range=today'), noon)).toEqual({
      model_name: 'gpt-4o',
      token_name: 'laptop',
      username: 'mira',
      type: 2,
      start_timestamp: midnight(15),
    })
  })

  it('take exact times for a range of one’s own, either end open', () => {
    expect(filterQuery(filters('range=custom&start=100&end=200'), noon)).toEqual({
      start_timestamp: 100,
      end_timestamp: 200,
    })
    expect(filterQuery(filters('range=custom&end=200'), noon)).toEqual({ end_timestamp: 200 })
  })

  it('pass over what cannot be read', () => {
    expect(filters('type=-3&range=forever&start=soon')).toMatchObject({ type: 0, range: 'week', start: null })
  })
})
