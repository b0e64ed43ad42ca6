import type { UsageSum } from '@tidegate/contract/api'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { localCalendar } from './time-steps.ts'
import { averageCost, growth, metricFormat, sortBy, totalOf, usageOf } from './usage.ts'

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

describe('usage by step', () => {
  it('counts an hour on its day in the zone of the browser', () => {
    vi.stubEnv('TZ', 'Asia/Shanghai')
    const rows = [
      row('gpt-4o', '2026-11-13T15:00:00Z', 1), // 23:00 on the 13th
      row('gpt-4o', '2026-11-13T16:00:00Z', 2), // midnight
      row('gpt-4o', '2026-11-14T15:00:00Z', 4),
    ]

    const usage = usageOf(rows, {
      calendar: localCalendar,
      step: 'day',
      metric: 'quota',
      start: at('2026-11-13T10:00:00Z'),
      until: at('2026-11-15T03:00:00Z'),
    })

    expect(usage.starts).toHaveLength(3)
    expect(usage.series).toMatchObject([{ model: 'gpt-4o', steps: [{ quota: 1 }, { quota: 6 }, { quota: 0 }] }])
    expect(usage.total).toEqual({ quota: 7, requests: 3, tokens: 30 })
  })

  it('sums all models outside the top five', () => {
    const rows = Array.from({ length: 12 }, (_, index) => row(`model-${index}`, '2026-11-15T09:00:00Z', index + 1))

    const { series, models } = usageOf(rows, {
      calendar: localCalendar,
      step: 'hour',
      metric: 'quota',
      start: at('2026-11-15T09:00:00Z'),
      until: at('2026-11-15T09:30:00Z'),
    })

    expect(series).toHaveLength(6)
    expect(series[0]).toMatchObject({ model: 'model-11', steps: [{ quota: 12 }] })
    expect(series.at(-1)).toMatchObject({ model: null, quota: 28, steps: [{ quota: 28, requests: 7, tokens: 70 }] })
    expect(models).toHaveLength(12)
  })
})

describe('metrics', () => {
  it('sort by any sum, and by requests if everything is free', () => {
    const some = [
      { model: 'a', quota: 0, requests: 1, tokens: 9 },
      { model: 'b', quota: 0, requests: 5, tokens: 2 },
    ]

    expect(sortBy(some, 'quota').map(({ model }) => model)).toEqual(['b', 'a'])
    expect(sortBy(some, 'tokens').map(({ model }) => model)).toEqual(['a', 'b'])
  })

  it('are compared only with an earlier value', () => {
    expect(growth(3, 2)).toBe(0.5)
    expect(growth(1, 2)).toBe(-0.5)
    expect(growth(3, 0)).toBeNull()
  })

  it('have an average only with requests', () => {
    expect(averageCost(totalOf([row('a', '2026-11-15T09:00:00Z', 30, 4)]))).toBe(7.5)
    expect(averageCost(totalOf([]))).toBeNull()
  })
})

it('writes the labels of an axis with one unit and equal decimals', () => {
  const labels = (metric: 'tokens' | 'quota', step: number, values: readonly number[]) => {
    const { writeAxis } = metricFormat(metric)
    return values.map((value) => writeAxis(value, { step, top: values.at(-1)! }))
  }

  expect(labels('tokens', 500_000, [0, 500_000, 1_000_000, 1_500_000])).toEqual(['0', '0.5M', '1.0M', '1.5M'])
  expect(labels('quota', 2.5, [0, 2.5, 5])).toEqual(['$0.00', '$2.50', '$5.00'])
  expect(labels('quota', 3, [0, 3, 6])).toEqual(['$0', '$3', '$6'])
})
