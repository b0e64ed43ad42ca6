import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  labelledHours,
  localCalendar,
  partialFrom,
  partialUntil,
  stepName,
  stepsBetween,
  stepTick,
  utcCalendar,
} from './time-steps.ts'

const at = (text: string) => Date.parse(text) / 1000
const written = (unixSeconds: number) => new Date(unixSeconds * 1000).toISOString()

afterEach(() => vi.unstubAllEnvs())

describe('steps in the zone of the browser', () => {
  it.each([
    ['Asia/Shanghai', 'day', '2026-11-14T16:00:00.000Z'],
    ['Asia/Shanghai', 'week', '2026-11-08T16:00:00.000Z'],
    ['America/New_York', 'day', '2026-11-14T05:00:00.000Z'],
    ['Asia/Kolkata', 'day', '2026-11-14T18:30:00.000Z'],
  ] as const)('in %s a %s starts at %s', (zone, step, expected) => {
    vi.stubEnv('TZ', zone)
    const moment = zone === 'America/New_York' ? at('2026-11-15T02:00:00Z') : at('2026-11-14T20:00:00Z')

    expect(written(localCalendar.startOf(moment, step))).toBe(expected)
  })

  it('end weeks on Sunday', () => {
    vi.stubEnv('TZ', 'UTC')

    expect(written(localCalendar.startOf(at('2026-11-15T23:00:00Z'), 'week'))).toBe('2026-11-09T00:00:00.000Z')
    expect(written(localCalendar.startOf(at('2026-11-16T00:00:00Z'), 'week'))).toBe('2026-11-16T00:00:00.000Z')
  })

  it('handle a day of 25 hours', () => {
    vi.stubEnv('TZ', 'Europe/Berlin')

    const days = stepsBetween(localCalendar, 'day', at('2026-10-24T12:00:00Z'), at('2026-10-27T12:00:00Z'))

    expect(days.map(written)).toEqual([
      '2026-10-23T22:00:00.000Z',
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
      '2026-10-26T23:00:00.000Z',
    ])
  })

  it('keep UTC hours in a zone with a half-hour offset', () => {
    vi.stubEnv('TZ', 'Asia/Kolkata')

    const hours = stepsBetween(localCalendar, 'hour', at('2026-11-15T09:40:00Z'), at('2026-11-15T11:10:00Z'))

    expect(hours.map(written)).toEqual([
      '2026-11-15T09:00:00.000Z',
      '2026-11-15T10:00:00.000Z',
      '2026-11-15T11:00:00.000Z',
    ])
  })
})

describe('steps in UTC', () => {
  it('do not depend on the zone of the browser', () => {
    vi.stubEnv('TZ', 'Asia/Shanghai')

    const weeks = stepsBetween(utcCalendar, 'week', at('2026-11-04T20:00:00Z'), at('2026-11-17T00:00:00Z'))

    expect(weeks.map(written)).toEqual([
      '2026-11-02T00:00:00.000Z',
      '2026-11-09T00:00:00.000Z',
      '2026-11-16T00:00:00.000Z',
    ])
  })
})
const midnight = at('2026-11-14T16:00:00Z')
const LOCAL = { inUtc: false, language: 'en' }

describe('step names', () => {
  it('use the zone of the steps and the language of the page', () => {
    vi.stubEnv('TZ', 'Asia/Shanghai')

    expect(stepName(midnight, { step: 'day', ...LOCAL })).toBe('Nov 15')
    expect(stepName(midnight, { step: 'hour', ...LOCAL })).toBe('Nov 15 00:00')
    expect(stepName(midnight, { step: 'week', ...LOCAL })).toBe('Nov 15 – Nov 21')
    expect(stepName(midnight, { step: 'day', inUtc: true, language: 'zh' })).toBe('11月14日')
  })

  it('are short on the axis, with the day at midnight', () => {
    vi.stubEnv('TZ', 'Asia/Shanghai')

    expect(stepTick(midnight, { step: 'hour', ...LOCAL })).toBe('Nov 15')
    expect(stepTick(midnight + 3600, { step: 'hour', ...LOCAL })).toBe('01:00')
  })

  it('mark the start of a partial step', () => {
    vi.stubEnv('TZ', 'Asia/Shanghai')
    const from = midnight + 9.5 * 3600

    expect(partialFrom(midnight, { step: 'day', ...LOCAL, from })).toBe('09:00')
    expect(partialFrom(midnight, { step: 'week', ...LOCAL, from })).toBe('Nov 15 09:00')
    expect(partialFrom(midnight + 86_400, { step: 'day', ...LOCAL, from })).toBe('')
  })

  it('mark the end of an incomplete step', () => {
    vi.stubEnv('TZ', 'Asia/Shanghai')
    const until = midnight + 9.5 * 3600

    expect(partialUntil(midnight, { step: 'day', ...LOCAL, until })).toBe('09:30')
    expect(partialUntil(midnight + 9 * 3600, { step: 'hour', ...LOCAL, until })).toBe('09:30')
    expect(partialUntil(midnight, { step: 'week', ...LOCAL, until })).toBe('Nov 15 09:30')
    expect(partialUntil(midnight - 86_400, { step: 'day', ...LOCAL, until })).toBe('')
    expect(partialUntil(midnight, { step: 'day', ...LOCAL, until: midnight + 86_399 })).toBe('')
  })

  it('label only some days when there are hundreds of hours', () => {
    vi.stubEnv('TZ', 'Asia/Shanghai')
    const hours = Array.from({ length: 30 * 24 }, (_, index) => midnight + index * 3600)

    const named = [...labelledHours(hours, false)]

    expect(named).toHaveLength(6)
    expect(named.every((index) => index % 24 === 0)).toBe(true)
  })
})
