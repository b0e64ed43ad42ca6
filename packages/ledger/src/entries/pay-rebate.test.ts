import { expect, it } from 'vitest'
import { rebateShare } from './pay-rebate.ts'

it.each([
  [1000, 10, 100],
  [999, 10, 99],
  [9, 10, 0],
  [10_000, 0.01, 1],
  [10_000, 0.07, 7],
  [1000, 33.33, 333],
  [123_456_789, 29, 35_802_468],
  [500_000, 100, 500_000],
  [9_000_000_000_000_000, 99.99, 8_999_100_000_000_000],
])('%i at %d percent is %i', (amount, percentage, share) => {
  expect(rebateShare(amount, percentage)).toBe(share)
})
