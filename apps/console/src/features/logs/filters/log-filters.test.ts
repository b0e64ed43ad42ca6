import { describe, expect, it } from 'vitest'
import { activeFilters } from '../../../lib/filters/active-filters.ts'
import { filterQuery, isFiltered, NO_FILTERS, readFilters } from './log-filters.ts'

const filters = (search: string, wholeSite = true) => readFilters(new URLSearchParams(search), wholeSite)
const noon = new Date(2026, 10, 15, 12)
const midnight = (day: number) => Math.floor(new Date(2026, 10, day).getTime() / 1000)
const anHourOn = Math.floor(noon.getTime() / 1000) + 3600

describe('the filters of the usage log', () => {
  it('reach from the start of today to an hour from now when the address says nothing', () => {
    expect(filterQuery(filters(''), noon)).toEqual({ start_timestamp: midnight(15), end_timestamp: anHourOn })
    expect(isFiltered(filters(''))).toBe(false)
  })

  it('are read from the address', () => {
    const search = 'model=gpt-4o%25&token=laptop&group=vip&username=mira&channel=7&type=2&range=week'

    expect(filterQuery(filters(search), noon)).toEqual({
      model_name: 'gpt-4o%',
      token_name: 'laptop',
      group: 'vip',
      username: 'mira',
      channel: 7,
      type: 2,
      start_timestamp: midnight(9),
      end_timestamp: anHourOn,
    })
    expect(activeFilters(filters(search), NO_FILTERS)).toEqual([
      'model',
      'token',
      'group',
      'username',
      'channel',
      'type',
      'range',
    ])
  })

  it('find requests that were not fully paid, for administrators', () => {
    expect(filterQuery(filters('uncovered=1'), noon)).toMatchObject({ uncovered: 'true' })
    expect(filterQuery(filters('uncovered=1', false), noon)).not.toHaveProperty('uncovered')
  })

  it('leave user and channel out for those who may not ask by them', () => {
    expect(activeFilters(filters('username=mira&channel=7', false), NO_FILTERS)).toEqual([])
  })

  it('end yesterday with its last second', () => {
    expect(filterQuery(filters('range=yesterday'), noon)).toEqual({
      start_timestamp: midnight(14),
      end_timestamp: midnight(15) - 1,
    })
  })

  it('take exact times for a range of one’s own, either end open', () => {
    expect(filterQuery(filters('range=custom&start=100&end=200'), noon)).toEqual({
      start_timestamp: 100,
      end_timestamp: 200,
    })
    expect(filterQuery(filters('range=custom&end=200'), noon)).toEqual({ end_timestamp: 200 })
  })

  it('look for a request id at any time, unless a range was chosen as well', () => {
    expect(filterQuery(filters('request=20261101'), noon)).toEqual({ request_id: '20261101' })
    expect(filterQuery(filters('request=20261101&range=week'), noon)).toMatchObject({ start_timestamp: midnight(9) })
  })

  it('pass over what cannot be read', () => {
    expect(filters('type=-3&range=forever&start=soon&channel=x')).toMatchObject({
      type: 0,
      range: 'today',
      start: null,
      channel: null,
    })
  })
})
