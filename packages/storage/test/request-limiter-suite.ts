import { beforeEach, describe, expect, it } from 'vitest'
import type { RequestLimiter, RequestedBudget, ConcurrencyLease } from '../src/limits/limiter.ts'
import { manualClock, type ManualClock } from './limiter-suite.ts'

/** The behaviour of every limiter of API requests, regardless of its store. */
export function callLimiterSuite(name: string, create: (clock: ManualClock) => RequestLimiter): void {
  let clock: ManualClock
  let limiter: RequestLimiter
  let unique = 0
  /** A key that no other test uses, because the store may be shared. */
  const newKey = (label = 'calls') => `${label}-${unique++}`

  beforeEach(() => {
    clock = manualClock()
    limiter = create(clock)
  })

  const enter = (...budgets: RequestedBudget[]) => limiter.acquire({ budgets })
  async function enterTimes(times: number, ...budgets: RequestedBudget[]): Promise<boolean[]> {
    const results = []
    for (let time = 0; time < times; time++) results.push((await enter(...budgets)).allowed)
    return results
  }

  describe(`${name}: budgets that report their state`, () => {
    it.each([
      [3, 60],
      [7, 10],
      [100, 3_600],
      [6_000, 60],
    ])('decrease by one from %i per request and refill over %i seconds', async (limit, windowSeconds) => {
      const budget = { key: newKey(), limit, windowSeconds }
      const taken = Math.min(limit, 20)

      for (let count = 1; count <= taken; count++) {
        const { budgets } = await enter(budget)
        expect(budgets).toMatchObject([{ key: budget.key, limit, remaining: limit - count }])
        expect(budgets[0]!.resetSeconds).toBeCloseTo((count * windowSeconds) / limit, 1)
      }
    })

    it('have nothing left when they reject, and allow what they report as remaining', async () => {
      const budget = { key: newKey(), limit: 7, windowSeconds: 10 }
      await enterTimes(7, budget)
      expect(await enter(budget)).toMatchObject({ allowed: false, budgets: [{ remaining: 0, resetSeconds: 10 }] })

      clock.advanceSeconds(5)
      const [state] = (await enter(budget)).budgets

      expect(state!.remaining).toBe(2)
      expect(await enterTimes(4, budget)).toEqual([true, true, false, false])
    })

    it('allow a request that waited as long as they reported', async () => {
      const budget = { key: newKey(), limit: 7, windowSeconds: 100 }
      const slower: RequestedBudget = { key: newKey(), limit: 3, windowSeconds: 50, cost: 2, standing: true }
      for (let round = 0; round < 10; round++) {
        const result = await enter(budget, slower)
        if (result.allowed) continue

        clock.advanceSeconds(result.retryAfterSeconds)

        expect(await enter(budget, slower)).toMatchObject({ allowed: true })
      }
    })

    it('are listed in the order of the request, without those that limit nothing', async () => {
      const [first, none, last] = [newKey('first'), newKey('none'), newKey('last')]

      const { budgets } = await enter(
        { key: first, limit: 5, windowSeconds: 60 },
        { key: none, limit: 0, windowSeconds: 60 },
        { key: last, limit: 9, windowSeconds: 60, cost: 4 },
      )

      expect(budgets.map(({ key, remaining }) => [key, remaining])).toEqual([
        [first, 4],
        [last, 5],
      ])
      expect(await limiter.acquire({ budgets: [] })).toEqual({ allowed: true, budgets: [] })
    })

    it('count rejected requests when they are standing, unless they reject themselves', async () => {
      const standing: RequestedBudget = { key: newKey('standing'), limit: 4, windowSeconds: 600, standing: true }
      const other = { key: newKey('other'), limit: 2, windowSeconds: 60 }

      expect(await enterTimes(6, standing, other)).toEqual([true, true, false, false, false, false])

      expect(await enter(standing)).toMatchObject({ allowed: false, budgets: [{ remaining: 0, resetSeconds: 600 }] })
      expect((await enter(other)).allowed).toBe(false)
    })

    it('include the wait for the standing budget when another one rejects', async () => {
      const standing: RequestedBudget = { key: newKey('standing'), limit: 2, windowSeconds: 200, standing: true }
      const other = { key: newKey('other'), limit: 1, windowSeconds: 10 }
      await enter(standing, other)

      const rejected = await enter(standing, other)

      expect(rejected).toMatchObject({ allowed: false, key: other.key, retryAfterSeconds: 100 })
      clock.advanceSeconds(100)
      expect((await enter(standing, other)).allowed).toBe(true)
    })
  })

  describe(`${name}: leave`, () => {
    it('takes usage beyond the limit, and later requests wait for it', async () => {
      const budget = { key: newKey(), limit: 600, windowSeconds: 60 }
      await enter({ ...budget, cost: 100 })

      const [state] = await limiter.release({ budgets: [{ ...budget, cost: 1_100 }] })

      expect(state).toEqual({ key: budget.key, limit: 600, remaining: 0, resetSeconds: 120 })
      expect(await enter({ ...budget, cost: 10 })).toMatchObject({ allowed: false, retryAfterSeconds: 61 })
      clock.advanceSeconds(61)
      expect(await enter({ ...budget, cost: 10 })).toMatchObject({ allowed: true, budgets: [{ remaining: 0 }] })
    })

    it('takes from an unused budget', async () => {
      const budget = { key: newKey(), limit: 100, windowSeconds: 60, cost: 30 }

      expect(await limiter.release({ budgets: [budget] })).toMatchObject([{ remaining: 70 }])

      expect(await enter({ ...budget, cost: 70 })).toMatchObject({ allowed: true })
      expect(await enter({ ...budget, cost: 1 })).toMatchObject({ allowed: false })
    })

    it('refunds what was not used, and never beyond the limit', async () => {
      const budget = { key: newKey(), limit: 100, windowSeconds: 60 }
      await enter({ ...budget, cost: 90 })

      expect(await limiter.release({ budgets: [{ ...budget, cost: -60 }] })).toMatchObject([{ remaining: 70 }])
      expect(await limiter.release({ budgets: [{ ...budget, cost: -60 }] })).toMatchObject([{ remaining: 100 }])

      expect(await enter({ ...budget, cost: 100 })).toMatchObject({ allowed: true })
      expect(await enter({ ...budget, cost: 1 })).toMatchObject({ allowed: false })
    })

    it('refunds nothing to a budget that expired', async () => {
      const budget = { key: newKey(), limit: 100, windowSeconds: 60, cost: -5 }

      expect(await limiter.release({ budgets: [budget] })).toEqual([
        { key: budget.key, limit: 100, remaining: 100, resetSeconds: 0 },
      ])
      expect(await limiter.release({ budgets: [] })).toEqual([])
    })
  })

  describe(`${name}: concurrency leases`, () => {
    const aLease = (key: string, limit = 2): ConcurrencyLease => ({ key, limit, holder: newKey('holder') })
    const hold = (lease: ConcurrencyLease, ...budgets: RequestedBudget[]) => limiter.acquire({ budgets, lease })

    it('are limited, and free again after a release', async () => {
      const key = newKey('places')
      const [first, second, third] = [aLease(key), aLease(key), aLease(key)]
      await hold(first)
      await hold(second)
      expect(await hold(third)).toEqual({ allowed: false, retryAfterSeconds: 1, key, budgets: [] })

      await limiter.release({ budgets: [], lease: first })
      await limiter.release({ budgets: [], lease: first })

      expect(await hold(third)).toEqual({ allowed: true, budgets: [] })
      expect((await hold(aLease(key))).allowed).toBe(false)
    })

    it('are granted to exactly the limit of concurrent requests', async () => {
      const key = newKey('places')

      const results = await Promise.all(Array.from({ length: 50 }, async () => hold(aLease(key, 20))))

      expect(results.filter(({ allowed }) => allowed)).toHaveLength(20)
    })

    it('expire after a minute without renewal', async () => {
      const key = newKey('places')
      const [renewed, forgotten] = [aLease(key), aLease(key)]
      await hold(renewed)
      await hold(forgotten)
      clock.advanceSeconds(40)
      await limiter.renew([renewed])

      clock.advanceSeconds(40)

      expect((await hold(aLease(key))).allowed).toBe(true)
      expect((await hold(aLease(key))).allowed).toBe(false)
    })

    it('count again when a renewal restores an expired lease', async () => {
      const key = newKey('places')

      await limiter.renew([aLease(key), aLease(key)])

      expect((await hold(aLease(key))).allowed).toBe(false)
    })

    it('are not taken when a budget rejects, nor budgets when there is no lease', async () => {
      const [key, budget] = [newKey('places'), { key: newKey(), limit: 2, windowSeconds: 60 }]
      const [first, second] = [aLease(key, 1), aLease(key, 1)]
      await hold(first, budget)
      expect(await hold(second, budget)).toMatchObject({ allowed: false, key, budgets: [{ remaining: 1 }] })
      await limiter.release({ budgets: [], lease: first })
      await enter(budget)

      expect(await hold(second, budget)).toMatchObject({ allowed: false, key: budget.key, retryAfterSeconds: 30 })

      expect((await hold(second)).allowed).toBe(true)
    })

    it('are rejected with the longer wait of a budget that rejects too', async () => {
      const [key, budget] = [newKey('places'), { key: newKey(), limit: 1, windowSeconds: 60 }]
      await hold(aLease(key, 1), budget)

      expect(await hold(aLease(key, 1), budget)).toMatchObject({ key: budget.key, retryAfterSeconds: 60 })
    })

    it('take only from standing budgets when none is free', async () => {
      const key = newKey('places')
      const standing: RequestedBudget = { key: newKey('standing'), limit: 10, windowSeconds: 60, standing: true }
      const other = { key: newKey('other'), limit: 10, windowSeconds: 60 }
      await hold(aLease(key, 1))

      const { budgets } = await hold(aLease(key, 1), standing, other)

      expect(budgets.map(({ remaining }) => remaining)).toEqual([9, 10])
    })
  })
}
