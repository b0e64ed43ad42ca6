import { describe, expect, it } from 'vitest'
import { comparePairs, type SiteMetrics } from './measure-growth.ts'
import { trendOf } from './trend.ts'

describe('trends of a growing site', () => {
  it('distinguishes growing from bounded values', () => {
    const growing = trendOf(Array.from({ length: 61 }, (_, second) => [second, 100 + second] as const))
    const bounded = trendOf(Array.from({ length: 60 }, (_, second) => [second, second % 2] as const))

    expect(growing).toMatchObject({ max: 160, firstThird: 109, lastThird: 150 })
    expect(growing.perMinute).toBeCloseTo(60)
    expect(Math.abs(bounded.perMinute)).toBeLessThan(0.5)
  })

  it('has no slope for a single sample', () => {
    expect(trendOf([[1, 5]])).toEqual({ max: 5, firstThird: 5, lastThird: 5, perMinute: 0 })
  })

  it('compares the large site with the small one of the same moment', () => {
    const metrics = (cpu: number, more: Partial<SiteMetrics> = {}): SiteMetrics => ({
      cpu,
      database: 10,
      requestsPerSecond: 1,
      p99: 1,
      residentMb: 1,
      completed: 10,
      bad: 0,
      noise: 0,
      ...more,
    })

    const compared = comparePairs([
      { small: metrics(100), large: metrics(110) },
      { small: metrics(200), large: metrics(210, { bad: 1 }) },
      { small: metrics(100), large: metrics(104, { noise: 0.3 }) },
    ])

    expect(compared).toMatchObject({
      cpu: 110,
      timesSmall: 1.05,
      bestTimesSmall: 1.04,
      databaseTimesSmall: 1,
      completed: 30,
      bad: 1,
      noise: 0.3,
    })
  })
})
