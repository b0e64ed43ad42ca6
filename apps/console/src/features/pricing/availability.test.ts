import { describe, expect, it } from 'vitest'
import { formatAvailability, lastDay } from './availability.ts'

describe('the last day of a model', () => {
  it('has an entry for every hour, with or without requests', () => {
    const now = Date.parse('2026-11-15T12:34:00Z')
    const hour = Date.parse('2026-11-15T10:00:00Z') / 1000

    const day = lastDay([{ hour, calls: 5, failed: 1 }], now)

    expect(day).toHaveLength(24)
    expect(day[21]).toEqual({ hour, calls: 5, failed: 1 })
    expect(day.at(-1)).toEqual({ hour: Date.parse('2026-11-15T12:00:00Z') / 1000, calls: 0, failed: 0 })
  })

  it('shows 100% only without failures', () => {
    expect(formatAvailability(1)).toBe('100%')
    expect(formatAvailability(0.99999)).toBe('99.99%')
    expect(formatAvailability(0.95)).toBe('95.00%')
    expect(formatAvailability(undefined)).toBe('–')
  })
})
