import { describe, expect, it } from 'vitest'
import { durationTone, percentIn, splitDuration } from './task-values.ts'

it.each([
  ['35%', 35],
  ['100%', 100],
  ['250%', 100],
  ['-3%', 0],
  ['', 0],
  ['soon', 0],
])('reads the progress %j as %i percent', (progress, percent) => {
  expect(percentIn(progress)).toBe(percent)
})

describe('a duration', () => {
  it.each([
    [0, { minutes: 0, seconds: '0.0' }],
    [4230, { minutes: 0, seconds: '4.2' }],
    [9960, { minutes: 0, seconds: '10' }],
    [59_400, { minutes: 0, seconds: '59' }],
    [59_600, { minutes: 1, seconds: '0' }],
    [125_000, { minutes: 2, seconds: '5' }],
    [-5, { minutes: 0, seconds: '0.0' }],
  ])('of %i ms is split into minutes and seconds', (milliseconds, parts) => {
    expect(splitDuration(milliseconds)).toEqual(parts)
  })

  it('is good, slow or very slow', () => {
    expect([100_999, 101_000, 299_999, 300_000].map(durationTone)).toEqual(['good', 'warn', 'warn', 'bad'])
  })
})
