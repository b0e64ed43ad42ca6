import { describe, expect, it } from 'vitest'
import { activeFilters } from '../../lib/active-filters.ts'
import { noFilters, readFilters, taskBounds, type FilterRules } from './task-filters.ts'

const rules: FilterRules = { usualRange: 'month', platforms: ['suno', 'video'], statuses: ['SUCCESS'] }
const filters = (search: string, wholeSite = true) => readFilters(new URLSearchParams(search), rules, wholeSite)
const active = (search: string) => activeFilters(filters(search), noFilters(rules))
const noon = new Date(2026, 10, 15, 12)
const midnight = (day: number, month = 10) => Math.floor(new Date(2026, month, day).getTime() / 1000)
const anHourOn = Math.floor(noon.getTime() / 1000) + 3600

describe('filters of a list of tasks', () => {
  it('look as far back as the list usually does', () => {
    expect(taskBounds(filters(''), rules, noon)).toEqual({ start: midnight(17, 9), end: anHourOn })
    expect(active('')).toEqual([])
  })

  it('are read from the address', () => {
    const search = 'task=abc&platform=suno&status=SUCCESS&channel=7&range=yesterday'

    expect(active(search)).toEqual(['task', 'platform', 'status', 'channel', 'range'])
    expect(taskBounds(filters(search), rules, noon)).toEqual({ start: midnight(14), end: midnight(15) - 1 })
  })

  it('leave the channel out for those who may not ask by it, and pass over what is not known', () => {
    expect(filters('channel=7', false).channel).toBeNull()
    expect(active('platform=radio&status=LOST&channel=x&range=forever')).toEqual([])
  })

  it('find a task by its id at any time, unless a range was chosen as well', () => {
    expect(taskBounds(filters('task=abc'), rules, noon)).toEqual({ start: null, end: null })
    expect(taskBounds(filters('task=abc&range=today'), rules, noon).start).toBe(midnight(15))
    expect(taskBounds(filters('task=abc&range=custom&end=200'), rules, noon)).toEqual({ start: null, end: 200 })
  })
})
