import { afterEach, expect, it, vi } from 'vitest'
import { callLimiterSuite } from '../../test/request-limiter-suite.ts'
import { limiterSuite } from '../../test/limiter-suite.ts'
import { memoryLimiter } from './memory-limiter.ts'

limiterSuite('the memory limiter', (clock) => memoryLimiter({ now: clock.now }))
callLimiterSuite('the memory limiter', (clock) => memoryLimiter({ now: clock.now }))

afterEach(() => void vi.useRealTimers())

it('does not block a budget for longer when the system clock is set back', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const limiter = memoryLimiter()
  const check = { key: 'k', limit: 10, windowSeconds: 60 }
  await limiter.take([check])

  vi.setSystemTime(Date.now() - 3_600_000)

  expect(await limiter.take([check])).toEqual({ allowed: true })
})

it('evicts the least recently used budget first', async () => {
  const limiter = memoryLimiter({ max: 3 })
  const once = (key: string) => limiter.take([{ key, limit: 1, windowSeconds: 3_600 }])

  for (const key of ['a', 'b', 'c', 'd']) await once(key)

  expect(await once('d')).toMatchObject({ allowed: false })
  expect(await once('b')).toMatchObject({ allowed: false })
  expect(await once('a')).toEqual({ allowed: true })
})

it('keeps the delay of an account when many addresses and other names fail', async () => {
  const limiter = memoryLimiter({ max: 3, now: () => 0 })
  for (let failure = 0; failure < 9; failure++) await limiter.takeAttempt('account:login:ada')
  const wait = await limiter.delayAfterFailures('account:login:ada')

  for (let at = 0; at < 20; at++) {
    await limiter.takeAttempt(`account:login:unknown${at}`)
    for (let failure = 0; failure < 9; failure++) await limiter.recordFailure(`address:login:192.0.2.${at}`)
  }

  expect(wait).toBeGreaterThan(0)
  expect(await limiter.delayAfterFailures('account:login:ada')).toBe(wait)
})
