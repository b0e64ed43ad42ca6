import { beforeEach, describe, expect, it } from 'vitest'
import type { FailureKey, Limiter } from '../src/limits/limiter.ts'

/** A clock that the test moves, in milliseconds. */
export function manualClock() {
  const clock = {
    ms: Date.now(),
    now: () => clock.ms,
    advanceSeconds: (seconds: number) => (clock.ms += seconds * 1_000),
  }
  return clock
}

export type ManualClock = ReturnType<typeof manualClock>

/** The behaviour of every limiter, regardless of its store. */
export function limiterSuite(name: string, create: (clock: ManualClock) => Limiter): void {
  let clock: ManualClock
  let limiter: Limiter
  let unique = 0
  /** A key that no other test uses, because the store may be shared. */
  const newKey = (label = 'key') => `${label}-${unique++}`
  const newAccount = () => `account:${unique++}` as const

  beforeEach(() => {
    clock = manualClock()
    limiter = create(clock)
  })

  async function countAllowed(times: number, check: Parameters<Limiter['take']>[0][number]): Promise<number> {
    let allowed = 0
    for (let time = 0; time < times; time++) if ((await limiter.take([check])).allowed) allowed += 1
    return allowed
  }

  describe(`${name}: take`, () => {
    it.each([
      [1, 1],
      [3, 1],
      [5, 60],
      [7, 10],
      [180, 60],
    ])('allows exactly %i in %i seconds at once', async (limit, windowSeconds) => {
      const check = { key: newKey(), limit, windowSeconds }

      expect(await countAllowed(limit + 5, check)).toBe(limit)
    })

    it('refills evenly: one more after each share of the window', async () => {
      const check = { key: newKey(), limit: 5, windowSeconds: 60 }
      await countAllowed(5, check)

      expect(await limiter.take([check])).toEqual({ allowed: false, retryAfterSeconds: 12, key: check.key })
      clock.advanceSeconds(11)
      expect(await limiter.take([check])).toEqual({ allowed: false, retryAfterSeconds: 1, key: check.key })
      clock.advanceSeconds(1)
      expect(await countAllowed(2, check)).toBe(1)
      clock.advanceSeconds(60)
      expect(await countAllowed(9, check)).toBe(5)
    })

    it('does not charge for a rejection', async () => {
      const check = { key: newKey(), limit: 2, windowSeconds: 10 }
      await countAllowed(50, check)

      clock.advanceSeconds(5)

      expect(await countAllowed(5, check)).toBe(1)
    })

    it('takes the given cost', async () => {
      const check = { key: newKey(), limit: 1_000, windowSeconds: 60 }

      expect(await limiter.take([{ ...check, cost: 900 }])).toEqual({ allowed: true })
      expect(await limiter.take([{ ...check, cost: 101 }])).toMatchObject({ allowed: false })
      expect(await limiter.take([{ ...check, cost: 100 }])).toEqual({ allowed: true })
    })

    it('takes from all budgets or from none', async () => {
      const wide = { key: newKey('wide'), limit: 10, windowSeconds: 60 }
      const narrow = { key: newKey('narrow'), limit: 2, windowSeconds: 60 }

      const results = []
      for (let time = 0; time < 5; time++) results.push(await limiter.take([wide, narrow]))

      expect(results.map(({ allowed }) => allowed)).toEqual([true, true, false, false, false])
      expect(results[4]).toMatchObject({ key: narrow.key })
      expect(await countAllowed(20, wide)).toBe(8)
    })

    it('names the budget with the longest wait', async () => {
      const short = { key: newKey('short'), limit: 1, windowSeconds: 5 }
      const long = { key: newKey('long'), limit: 1, windowSeconds: 50 }
      await limiter.take([short, long])

      expect(await limiter.take([short, long])).toEqual({ allowed: false, retryAfterSeconds: 50, key: long.key })
      expect(await limiter.take([long, short])).toEqual({ allowed: false, retryAfterSeconds: 50, key: long.key })
    })

    it('treats a limit or a window of 0 as no limit', async () => {
      const key = newKey()

      expect(await countAllowed(20, { key, limit: 0, windowSeconds: 60 })).toBe(20)
      expect(await countAllowed(20, { key, limit: 5, windowSeconds: 0 })).toBe(20)
      expect(await limiter.take([])).toEqual({ allowed: true })
    })

    it('allows again exactly what was returned', async () => {
      const check = { key: newKey(), limit: 4, windowSeconds: 60 }
      await countAllowed(4, check)

      await limiter.refund([check, { ...check, key: newKey('untouched') }])

      expect(await countAllowed(5, check)).toBe(1)
    })

    it('separates keys', async () => {
      const [first, second] = [newKey(), newKey()]
      await countAllowed(3, { key: first, limit: 3, windowSeconds: 60 })

      expect(await countAllowed(3, { key: second, limit: 3, windowSeconds: 60 })).toBe(3)
    })

    it('allows exactly the limit to concurrent callers', async () => {
      const check = { key: newKey(), limit: 20, windowSeconds: 60 }

      const results = await Promise.all(Array.from({ length: 50 }, () => limiter.take([check])))

      expect(results.filter(({ allowed }) => allowed)).toHaveLength(20)
    })

    it('stays exact for a budget of millions', async () => {
      const check = { key: newKey(), limit: 5_000_000, windowSeconds: 60 }

      expect(await limiter.take([{ ...check, cost: 4_999_999 }])).toEqual({ allowed: true })
      expect(await countAllowed(1_000, check)).toBeLessThanOrEqual(1)
    })
  })

  describe(`${name}: failures`, () => {
    async function fail(key: FailureKey, times: number): Promise<number[]> {
      const delays = []
      for (let time = 0; time < times; time++) delays.push(await limiter.recordFailure(key))
      return delays
    }

    it('allows four, then doubles the delay up to fifteen minutes', async () => {
      expect(await fail(newAccount(), 16)).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
    })

    it('returns the remaining delay', async () => {
      const key = newAccount()
      expect(await limiter.delayAfterFailures(key)).toBe(0)
      await fail(key, 4)
      expect(await limiter.delayAfterFailures(key)).toBe(0)
      await fail(key, 4)

      expect(await limiter.delayAfterFailures(key)).toBe(8)
      clock.advanceSeconds(7.5)
      expect(await limiter.delayAfterFailures(key)).toBe(1)
      clock.advanceSeconds(0.5)
      expect(await limiter.delayAfterFailures(key)).toBe(0)
    })

    it('keeps counting after a delay has passed', async () => {
      const key = newAccount()
      await fail(key, 6)
      clock.advanceSeconds(600)

      expect(await limiter.recordFailure(key)).toBe(4)
    })

    it('forgets failures an hour after the last one', async () => {
      const key = newAccount()
      await fail(key, 10)
      clock.advanceSeconds(3_599)
      expect(await limiter.recordFailure(key)).toBe(64)

      clock.advanceSeconds(3_600)

      expect(await limiter.recordFailure(key)).toBe(0)
    })

    it('forgets failures immediately on request', async () => {
      const key = newAccount()
      await fail(key, 10)

      await limiter.clearFailures(key)

      expect(await limiter.delayAfterFailures(key)).toBe(0)
      expect(await limiter.recordFailure(key)).toBe(0)
    })

    it('counts each of many concurrent failures', async () => {
      const key = newAccount()

      const delays = await Promise.all(Array.from({ length: 6 }, () => limiter.recordFailure(key)))

      expect(delays.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 1, 2])
    })

    it('starts only as many concurrent attempts as may fail', async () => {
      const key = newAccount()

      const waits = await Promise.all(Array.from({ length: 50 }, () => limiter.takeAttempt(key)))

      expect(waits.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, ...Array.from({ length: 45 }, () => 1)])
    })

    it('does not count an attempt that had to wait, and counts the next one that need not', async () => {
      const key = newAccount()
      await fail(key, 6)
      expect(await limiter.takeAttempt(key)).toBe(2)
      expect(await limiter.takeAttempt(key)).toBe(2)
      clock.advanceSeconds(2)

      expect(await limiter.takeAttempt(key)).toBe(0)
      expect(await limiter.takeAttempt(key)).toBe(4)
    })
  })
}
