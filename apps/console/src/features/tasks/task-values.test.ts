import { describe, expect, it } from 'vitest'
import { isSlow, percentIn, splitDuration, usualDurations } from './task-values.ts'

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
})

describe('the usual duration', () => {
  const tasks = (action: string, seconds: readonly number[], status = 'SUCCESS') =>
    seconds.map((duration) => ({ action, status, submit_time: 1000, finish_time: 1000 + duration }))
  const usualOf = (...lists: ReturnType<typeof tasks>[]) => usualDurations(lists.flat(), ({ action }) => action)

  it('is the median of the successful tasks of a kind', () => {
    const usual = usualOf(tasks('video', [200, 240, 250, 300, 900]), tasks('video', [1, 1, 1], 'FAILURE'))

    expect([...usual]).toEqual([['video', 250]])
  })

  it('is unknown for a kind with few tasks', () => {
    expect(usualOf(tasks('music', [60, 61, 62, 63])).size).toBe(0)
  })

  it('makes a task slow that took more than three times as long', () => {
    expect([750, 751].map((duration) => isSlow(duration, 250))).toEqual([false, true])
  })
})
