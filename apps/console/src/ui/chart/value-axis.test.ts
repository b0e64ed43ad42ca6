import { expect, it } from 'vitest'
import { decimalsOfStep, valueAxis } from './value-axis.ts'

it.each([
  [12.8, false, { step: 5, top: 15 }],
  [1_700_000, true, { step: 500_000, top: 2_000_000 }],
  [3, true, { step: 1, top: 3 }],
  [0.09, false, { step: 0.025, top: 0.1 }],
])('divides an axis up to %d into round steps', (largest, wholeNumbers, axis) => {
  const found = valueAxis(largest, wholeNumbers)!

  expect(found.step).toBeCloseTo(axis.step, 9)
  expect(found.top).toBeCloseTo(axis.top, 9)
})

it('has no steps without values', () => {
  expect(valueAxis(0, false)).toBeUndefined()
})

it.each([
  [5, 0],
  [2.5, 1],
  [0.025, 3],
])('writes multiples of %d with %d decimals', (step, decimals) => {
  expect(decimalsOfStep(step)).toBe(decimals)
})
