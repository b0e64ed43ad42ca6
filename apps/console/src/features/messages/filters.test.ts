import { describe, expect, it } from 'vitest'
import { filterQuery, isFiltered, readFilters } from './filters.tsx'

const filtersIn = (query: string) => readFilters(new URLSearchParams(query))

describe('the filters of messages', () => {
  it('send the dates only if both are set', () => {
    expect(filterQuery(filtersIn('keyword=tide&from=2026-11-01'))).toEqual({ keyword: 'tide' })
    expect(isFiltered(filtersIn('to=2026-11-01'))).toBe(false)
  })

  it('send whole days in the time zone of the browser', () => {
    const query = filterQuery(filtersIn('from=2026-11-01&to=2026-11-02'))

    expect(query).toEqual({
      start_date: new Date(2026, 10, 1).toISOString(),
      end_date: new Date(2026, 10, 2, 23, 59, 59, 999).toISOString(),
    })
  })

  it('ignore invalid dates', () => {
    expect(filtersIn('from=tomorrow&to=2026-11-02&keyword=%20a%20')).toEqual({
      keyword: 'a',
      from: '',
      to: '2026-11-02',
    })
  })
})
