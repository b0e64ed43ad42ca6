import { describe, expect, it } from 'vitest'
import { isFiltered, NO_FILTERS, readFilters, writeFilters } from './channel-filters.ts'

describe('the filters of the channel list', () => {
  it('survive the way through the address', () => {
    const filters = {
      keyword: 'harbour',
      model: 'gpt',
      group: 'vip',
      types: [1, 8],
      statuses: [3],
      tags: ['a', '主线'],
    }

    expect(readFilters(new URLSearchParams(writeFilters(filters)))).toEqual(filters)
  })

  it('ignore numbers that are none', () => {
    expect(readFilters(new URLSearchParams('types=1,x,,8.5,-2,14'))).toMatchObject({ types: [1, 14] })
  })

  it('count as set when any of them is, blanks aside', () => {
    expect(isFiltered(NO_FILTERS)).toBe(false)
    expect(isFiltered({ ...NO_FILTERS, keyword: '  ' })).toBe(false)
    expect(isFiltered({ ...NO_FILTERS, statuses: [2] })).toBe(true)
  })
})
