import { afterEach, describe, expect, it, vi } from 'vitest'
import { localCalendar, stepsBetween, utcCalendar } from './calendar.ts'

const at = (text: string) => Date.parse(text) / 1000
const written = (unixSeconds: number) => new Date(unixSeconds * 1000).toISOString()

afterEach(() => vi.unstubAllEnvs())

describe('steps in the person’s own zone', () => {
  it.each([
    ['Asia/Shanghai', 'day', '2026-11-14T16:00:00.000Z'],
    ['Asia/Shanghai', 'week', '2026-11-08T16:00:00.000Z'],
    ['America/New_York', 'day', '2026-11-14T05:00:00.000Z'],
    ['Asia/Kolkata', 'day', '2026-11-14T18:30:00.000Z'],
  ] as const)('in %s a %s begins at %s', (zone, step, expected) => {
    vi.stubEnv('TZ', zone)
    const moment = zone === 'America/New_York' ? at('2026-11-15T02:00:00Z') : at('2026-11-14T20:00:00Z')

    expect(written(localCalendar.startOf(moment, step))).toBe(expected)
  })

  it('take Sunday for the end of a week', () => {
    vi.stubEnv('TZ', 'UTC')

    expect(written(localCalendar.startOf(at('2026-11-15T23:00:00Z'), 'week'))).toBe('2026-11-09T00:00:00.000Z')
    expect(written(localCalendar.startOf(at('2026-11-16T00:00:00Z'), 'week'))).toBe('2026-11-16T00:00:00.000Z')
  })

  it('follow the clock through a day of 25 hours', () => {
    vi.stubEnv('TZ', 'Europe/Berlin')

    const days = stepsBetween(localCalendar, 'day', at('2026-10-24T12:00:00Z'), at('2026-10-27T12:00:00Z'))

    expect(days.map(written)).toEqual([
      '2026-10-23T22:00:00.000Z',
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
      '2026-10-26T23:00:00.000Z',
    ])
  })

  it('leave hours as they are kept', () => {
    vi.stubEnv('TZ', 'Asia/Kolkata')

    const hours = stepsBetween(localCalendar, 'hour', at('2026-11-15T09:40:00Z'), at('2026-11-15T11:10:00Z'))

    expect(hours.map(written)).toEqual([
      '2026-11-15T09:00:00.000Z',
      '2026-11-15T10:00:00.000Z',
      '2026-11-15T11:00:00.000Z',
    ])
  })
})

describe('steps of UTC', () => {
  it('do not depend on where the person is', () => {
    vi.stubEnv('TZ', 'Asia/Shanghai')

    const weeks = stepsBetween(utcCalendar, 'week', at('2026-11-04T20:00:00Z'), at('2026-11-17T00:00:00Z'))

    expect(weeks.map(written)).toEqual([
      '2026-11-02T00:00:00.000Z',
      '2026-11-09T00:00:00.000Z',
      '2026-11-16T00:00:00.000Z',
    ])
  })
})
