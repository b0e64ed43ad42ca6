import { describe, expect, it } from 'vitest'
import { filterQuery, isFiltered, NO_FILTERS, readFilters } from './audit-filters.ts'

describe('the filters of the audit trail', () => {
  it('are read from the address and sent as the call names them', () => {
    const filters = readFilters(new URLSearchParams('actor=7&action=user.promote&subject=3&start=100&end=200'))

    expect(filterQuery(filters)).toEqual({
      actor_id: 7,
      action: 'user.promote',
      subject: '3',
      start_timestamp: 100,
      end_timestamp: 200,
    })
    expect(isFiltered(filters)).toBe(true)
  })

  it('leave out what is not set, and what is no number where one is meant', () => {
    const filters = readFilters(new URLSearchParams('actor=mira&start=-5&end=1e9'))

    expect(filters).toEqual(NO_FILTERS)
    expect(filterQuery(filters)).toEqual({})
    expect(isFiltered(filters)).toBe(false)
  })
})
