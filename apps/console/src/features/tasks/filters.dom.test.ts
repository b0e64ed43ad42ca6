import { describe, expect, it } from 'vitest'
import { activeFilters, readFilters } from '../../ui/filters/define-filters.ts'
import { mediaFilters, mediaQueryOf } from './filters.ts'

const read = (search: string, scope: 'all' | 'own' = 'all') =>
  readFilters(mediaFilters[scope], new URLSearchParams(search))
const active = (search: string, scope: 'all' | 'own' = 'all') => activeFilters(mediaFilters[scope], read(search, scope))
const noon = new Date(2026, 10, 15, 12)
const midnight = (day: number) => Math.floor(new Date(2026, 10, day).getTime() / 1000)
const oneHourLater = Math.floor(noon.getTime() / 1000) + 3600

describe('the filters of a task list', () => {
  it('use the default range of the list if none is selected', () => {
    expect(mediaQueryOf(read(''), noon)).toEqual({ start_timestamp: midnight(15), end_timestamp: oneHourLater })
    expect(active('')).toEqual([])
  })

  it('are read from the URL and sent under the names of the API', () => {
    const search = 'task=abc&platform=suno&status=SUCCESS&channel=7&range=yesterday'

    expect(active(search)).toEqual(['task', 'platform', 'status', 'channel', 'range'])
    expect(mediaQueryOf(read(search), noon)).toEqual({
      task_id: 'abc',
      platform: 'suno',
      status: 'SUCCESS',
      channel_id: 7,
      start_timestamp: midnight(14),
      end_timestamp: midnight(15) - 1,
    })
  })

  it('ignore the channel for users who are not administrators, and unknown values', () => {
    expect(active('channel=7', 'own')).toEqual([])
    expect(mediaQueryOf(read('channel=7', 'own'), noon)).not.toHaveProperty('channel_id')
    expect(active('platform=radio&status=LOST&channel=x&range=forever')).toEqual([])
  })

  it('find a task by its ID at any time, unless a range is chosen too', () => {
    expect(mediaQueryOf(read('task=abc'), noon)).toEqual({ task_id: 'abc' })
    expect(mediaQueryOf(read('task=abc&range=yesterday'), noon).start_timestamp).toBe(midnight(14))
    expect(mediaQueryOf(read('task=abc&range=custom&end=200'), noon)).toEqual({ task_id: 'abc', end_timestamp: 200 })
  })
})
