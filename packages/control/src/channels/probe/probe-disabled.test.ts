import { expect, it } from 'vitest'
import { isDue } from './probe-disabled.ts'

const since = 1_800_000_000
const minute = (count: number) => new Date((since + count * 60) * 1000)

it('tries a channel after a minute, then after ever longer pauses, at last once an hour', () => {
  const tried: number[] = []
  let tested_at: Date | null = null
  for (let passed = 0; passed <= 240; passed++) {
    if (!isDue({ other_info: { status_time: since }, tested_at }, minute(passed))) continue
    tested_at = minute(passed)
    tried.push(passed)
  }

  expect(tried).toEqual([1, 3, 7, 15, 31, 63, 123, 183])
})

it('does not take a test from before for one of its own', () => {
  const channel = { other_info: { status_time: since }, tested_at: minute(-500) }

  expect(isDue(channel, minute(0.5))).toBe(false)
  expect(isDue(channel, minute(1))).toBe(true)
})

it('tries a channel of which nobody knows since when it is out of use', () => {
  expect(isDue({ other_info: {}, tested_at: null }, minute(0))).toBe(true)
})
