import { describe, expect, it } from 'vitest'
import { formatSpan, ticksOf, totalOf } from './time-axis.ts'

describe('the time axis of a request', () => {
  it('ends with the last step', () => {
    expect(totalOf([])).toBe(0)
    expect(
      totalOf([
        { kind: 'attempt', started: 2, took: 300 },
        { kind: 'first_token', started: 120, took: 0 },
      ]),
    ).toBe(302)
  })

  it.each([
    [0, [0]],
    [302, [0, 100, 200, 300]],
    [1000, [0, 250, 500, 750, 1000]],
    [7.3, [0, 2, 4, 6]],
  ])('marks %d ms at round times', (total, ticks) => {
    expect(ticksOf(total)).toEqual(ticks)
  })

  it.each([
    [0.42, '0.4 ms'],
    [320.4, '320 ms'],
    [2350, '2.35 s'],
    [160_000, '2 min 40 s'],
  ])('writes %d ms as %s', (milliseconds, written) => {
    expect(formatSpan(milliseconds)).toBe(written)
  })
})
