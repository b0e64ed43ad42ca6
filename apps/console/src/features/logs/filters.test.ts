import { describe, expect, it } from 'vitest'
import { readFilters } from '../../ui/filters/define-filters.ts'
import {
  allowedFilters,
  countQuery,
  filterQuery,
  logFilters,
  parseFilterText,
  rowQuery,
  toggleValue,
} from './filters.ts'

const filters = (search: string, wholeSite = true) =>
  allowedFilters(readFilters(logFilters, new URLSearchParams(search)), wholeSite)
const noon = new Date(2026, 10, 15, 12)
const midnight = (day: number) => Math.floor(new Date(2026, 10, day).getTime() / 1000)
const seconds = Math.floor(noon.getTime() / 1000)

describe('log filters', () => {
  it('cover today and an hour ahead by default; counts end now', () => {
    const today = { start_timestamp: midnight(15), end_timestamp: seconds + 3600 }

    expect(filterQuery(filters(''), noon)).toEqual(today)
    expect(countQuery(filters(''), noon)).toEqual({ ...today, end_timestamp: seconds })
  })

  it('list rows of requests unless a type or a request ID is given', () => {
    const typesOf = (search: string) => rowQuery(filters(search), noon)['types']

    expect(typesOf('')).toBe('2,6')
    expect(typesOf('model=gpt-4o')).toBe('2,6')
    expect(['type=0', 'type=1', 'request=abc'].map(typesOf)).toEqual([undefined, undefined, undefined])
  })

  it('are read from the URL', () => {
    const search =
      'model=a,b&status=error&username=mira&channel=7,8&token=laptop&type=2&slower=1000&retried=true&range=week'

    expect(filterQuery(filters(search), noon)).toEqual({
      models: 'a,b',
      status: 'error',
      usernames: 'mira',
      channels: '7,8',
      token_name: 'laptop',
      type: 2,
      min_duration_ms: 1000,
      retried: 'true',
      start_timestamp: midnight(9),
      end_timestamp: seconds + 3600,
    })
  })

  it('send a pattern as a pattern', () => {
    expect(filterQuery(filters('model=gpt%25'), noon)).toMatchObject({ model_name: 'gpt%' })
  })

  it('ignore filters of administrators for ordinary users', () => {
    const query = filterQuery(filters('username=mira&channel=7&retried=true&uncovered=1', false), noon)

    expect(Object.keys(query)).toEqual(['start_timestamp', 'end_timestamp'])
  })

  it('find a request by its ID at any time', () => {
    expect(filterQuery(filters('request=abc'), noon)).toEqual({ request_id: 'abc' })
  })

  it('are typed as text', () => {
    expect(parseFilterText('status:error,success user:mira token:"my laptop" type:topup')).toEqual({
      status: ['success', 'error'],
      username: ['mira'],
      token: 'my laptop',
      type: 1,
    })
    expect(parseFilterText('gpt')).toEqual({ model: ['%gpt%'] })
    expect(parseFilterText('status:unknown channel:nowhere')).toEqual({})
  })

  it('toggle values of a list; exact names replace a pattern', () => {
    expect(toggleValue(['a'], 'b')).toEqual(['a', 'b'])
    expect(toggleValue(['a', 'b'], 'b')).toEqual(['a'])
    expect(toggleValue(['a', 'b'], 'b', true)).toEqual(['b'])
    expect(toggleValue(['%a%'], 'b')).toEqual(['b'])
  })
})
