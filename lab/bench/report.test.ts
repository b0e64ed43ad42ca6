import { describe, expect, it } from 'vitest'
import { median, quantile } from './report.ts'

describe('quantile', () => {
  it('returns a measured value, whatever the order', () => {
    expect(quantile([30, 10, 20, 40], 0.5)).toBe(20)
    expect(quantile([30, 10, 20, 40], 0.99)).toBe(40)
    expect(quantile([7], 0.01)).toBe(7)
    expect(median([3, 1, 2])).toBe(2)
  })

  it('returns NaN without measurements', () => {
    expect(quantile([], 0.5)).toBeNaN()
  })
})
