import { MAX_QUOTA } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { randomBetween } from './check-in.ts'

describe('randomBetween', () => {
  it('returns every number of the range and none outside it', () => {
    const drawn = new Set(Array.from({ length: 2000 }, () => randomBetween(3, 12)))

    expect([...drawn].toSorted((a, b) => a - b)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })

  it('accepts a range of one number', () => {
    expect(randomBetween(7, 7)).toBe(7)
  })

  it('covers the largest range that quota allows', () => {
    const drawn = Array.from({ length: 200 }, () => randomBetween(0, MAX_QUOTA))

    expect(drawn.every((number) => Number.isSafeInteger(number) && number >= 0 && number <= MAX_QUOTA)).toBe(true)
    expect(drawn.some((number) => number < MAX_QUOTA / 2)).toBe(true)
    expect(drawn.some((number) => number > MAX_QUOTA / 2)).toBe(true)
  })

  it('rejects an empty range', () => {
    expect(() => randomBetween(2, 1)).toThrow(RangeError)
  })
})
