import { expect, it } from 'vitest'
import { isDue } from './probe-disabled.ts'

const since = 1_800_000_000
const minute = (count: number) => new Date((since + count * 60) * 1000)

it('tests a channel after a minute, then with growing intervals up to an hour', () => {
  const tried: number[] = []
  let tested_at: Date | null = null
  for (let passed = 0; passed <= 240; passed++) {
    if (!isDue({ other_info: { status_time: since }, tested_at }, minute(passed))) continue
    tested_at = minute(passed)
    tried.push(passed)
  }

  expect(tried).toEqual([1, 3, 7, 15, 31, 63, 123, 183])
})

it('ignores tests before the channel was disabled', () => {
  const channel = { other_info: { status_time: since }, tested_at: minute(-500) }

  expect(isDue(channel, minute(0.5))).toBe(false)
  expect(isDue(channel, minute(1))).toBe(true)
})

it('tests a channel with an unknown disable time', () => {
  expect(isDue({ other_info: {}, tested_at: null }, minute(0))).toBe(true)
})
