import type { UsageSum } from '@tidegate/contract/api'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { localCalendar } from './calendar.ts'
import { averageCost, growth, rankedBy, totalOf, usageOf } from './usage.ts'

const at = (text: string) => Date.parse(text) / 1000
const row = (model_name: string, time: string, quota: number, count = 1): UsageSum => ({
  id: 0,
  user_id: 0,
  username: '',
  model_name,
  created_at: at(time),
  token_used: count * 10,
  count,
  quota,
})

afterEach(() => vi.unstubAllEnvs())

describe('use in steps', () => {
  it('counts an hour on the day it is in the person’s own zone', () => {
    vi.stubEnv('TZ', 'Asia/Shanghai')
    const rows = [
      row('gpt-4o', '2026-11-13T15:00:00Z', 1), // 23:00 on the 13th
      row('gpt-4o', '2026-11-13T16:00:00Z', 2), // midnight
      row('gpt-4o', '2026-11-14T15:00:00Z', 4),
    ]

    const usage = usageOf(rows, {
      calendar: localCalendar,
      step: 'day',
      start: at('2026-11-13T10:00:00Z'),
      until: at('2026-11-15T03:00:00Z'),
    })

    expect(usage.starts).toHaveLength(3)
    expect(usage.series).toMatchObject([{ model: 'gpt-4o', steps: [{ quota: 1 }, { quota: 6 }, { quota: 0 }] }])
    expect(usage.total).toEqual({ quota: 7, requests: 3, tokens: 30 })
  })

  it('puts all but the nine dearest models together', () => {
    const rows = Array.from({ length: 12 }, (_, index) => row(`model-${index}`, '2026-11-15T09:00:00Z', index + 1))

    const { series, models } = usageOf(rows, {
      calendar: localCalendar,
      step: 'hour',
      start: at('2026-11-15T09:00:00Z'),
      until: at('2026-11-15T09:30:00Z'),
    })

    expect(series).toHaveLength(10)
    expect(series[0]).toMatchObject({ model: 'model-11', steps: [{ quota: 12 }] })
    expect(series.at(-1)).toEqual({ model: null, steps: [{ quota: 1 + 2 + 3, requests: 3, tokens: 30 }] })
    expect(models).toHaveLength(12)
  })
})

describe('figures of a span', () => {
  it('rank by any of the sums, and by requests where all is free', () => {
    const some = [
      { model: 'a', quota: 0, requests: 1, tokens: 9 },
      { model: 'b', quota: 0, requests: 5, tokens: 2 },
    ]

    expect(rankedBy(some, 'quota').map(({ model }) => model)).toEqual(['b', 'a'])
    expect(rankedBy(some, 'tokens').map(({ model }) => model)).toEqual(['a', 'b'])
  })

  it('are compared only where there was something before', () => {
    expect(growth(3, 2)).toBe(0.5)
    expect(growth(1, 2)).toBe(-0.5)
    expect(growth(3, 0)).toBeNull()
  })

  it('have an average only with requests', () => {
    expect(averageCost(totalOf([row('a', '2026-11-15T09:00:00Z', 30, 4)]))).toBe(7.5)
    expect(averageCost(totalOf([]))).toBeNull()
  })
})
