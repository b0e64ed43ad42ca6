import { describe, expect, it } from 'vitest'
import { filterQuery, isFiltered, isUserId, NO_FILTERS, readFilters } from './order-filters.ts'

describe('the filters of the orders', () => {
  it('are read from the address and sent by the same names', () => {
    const filters = readFilters(new URLSearchParams('user_id=%237&status=pending&provider=epay&trade_no=+USR7NO1+'))

    expect(filters).toEqual({ user_id: '7', status: 'pending', provider: 'epay', trade_no: 'USR7NO1' })
    expect(filterQuery(filters)).toEqual(filters)
    expect(isFiltered(filters)).toBe(true)
  })

  it('leave out what is not set, and a status that no order can have', () => {
    const filters = readFilters(new URLSearchParams('status=lost&page=2'))

    expect(filters).toEqual(NO_FILTERS)
    expect(filterQuery(filters)).toEqual({})
    expect(isFiltered(filters)).toBe(false)
  })

  it.each(['mira', '-3', '0', '1.5', '7 8', '1234567890123456'])('know that %s is no id', (text) => {
    expect(isUserId(text)).toBe(false)
  })

  it.each(['', '7', '123456789012345'])('take "%s" for an id, or for nobody in particular', (text) => {
    expect(isUserId(text)).toBe(true)
  })
})
