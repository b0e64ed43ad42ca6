import { describe, expect, it } from 'vitest'
import { hoursOf, localDays } from './local-day.ts'

const isoOf = (now: string, timezone: string) => {
  const { today, yesterday } = localDays(new Date(now), timezone)
  return [yesterday.from, yesterday.to, today.from, today.to].map((time) => time.toISOString().slice(5, 16))
}

describe('the local day', () => {
  it.each([
    ['2026-06-10T14:20:00Z', 'UTC', ['06-09T00:00', '06-09T15:00', '06-10T00:00', '06-10T15:00']],
    ['2026-06-10T14:20:00Z', 'Asia/Shanghai', ['06-08T16:00', '06-09T15:00', '06-09T16:00', '06-10T15:00']],
    ['2026-06-10T02:20:00Z', 'America/New_York', ['06-08T04:00', '06-09T03:00', '06-09T04:00', '06-10T03:00']],
    ['2026-03-01T00:20:00Z', 'UTC', ['02-28T00:00', '02-28T01:00', '03-01T00:00', '03-01T01:00']],
    // Midnight in India is half past an hour in UTC.
    ['2026-06-10T14:20:00Z', 'Asia/Kolkata', ['06-08T18:00', '06-09T15:00', '06-09T18:00', '06-10T15:00']],
    // Clocks changed on March 29: yesterday had 23 hours.
    ['2026-03-30T21:30:00Z', 'Europe/Berlin', ['03-28T23:00', '03-29T22:00', '03-29T22:00', '03-30T22:00']],
  ])('has its boundaries: at %s in %s', (now, timezone, expected) => {
    expect(isoOf(now, timezone)).toEqual(expected)
  })

  it('has one entry for each hour until now', () => {
    const { today } = localDays(new Date('2026-06-10T02:20:00Z'), 'UTC')

    expect(hoursOf(today)).toEqual([0, 1, 2].map((hour) => Date.UTC(2026, 5, 10, hour) / 1000))
  })

  it('rejects an unknown time zone', () => {
    expect(() => localDays(new Date(), 'Mars/Base')).toThrow(expect.objectContaining({ code: 'timezone_unknown' }))
  })
})
