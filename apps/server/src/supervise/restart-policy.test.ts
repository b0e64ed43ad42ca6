import { expect, it } from 'vitest'
import { createRestartPolicy } from './restart-policy.ts'

it('waits twice as long after each crash, up to 30 seconds, and starts over after a minute of life', () => {
  const policy = createRestartPolicy(() => 0)

  const delays = Array.from({ length: 10 }, () => policy.recordCrash(1_000))

  expect(delays).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000])
  expect(policy.recordCrash(60_000)).toBe(200)
})

it('reports five crashes within a minute, until a minute has passed', () => {
  let time = 0
  const policy = createRestartPolicy(() => time)

  for (let count = 0; count < 4; count += 1) policy.recordCrash(0)
  expect(policy.isFailing()).toBe(false)
  policy.recordCrash(0)
  expect(policy.isFailing()).toBe(true)
  time = 60_000

  expect(policy.isFailing()).toBe(false)
})

it('does not report crashes that are far apart', () => {
  let time = 0
  const policy = createRestartPolicy(() => time)

  for (let count = 0; count < 20; count += 1) {
    policy.recordCrash(0)
    time += 15_000
  }

  expect(policy.isFailing()).toBe(false)
})
