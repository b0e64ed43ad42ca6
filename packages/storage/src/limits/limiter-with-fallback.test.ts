import { describe, expect, it } from 'vitest'
import { recordingLog } from '../../test/recording-log.ts'
import type { BudgetSource } from './budget-source.ts'
import type { RequestLimiter, Limiter } from './limiter.ts'
import { limiterWithFallback } from './limiter-with-fallback.ts'
import { memoryLimiter } from './memory-limiter.ts'
import { slicedLimiter, type SlicedLimiter } from './sliced-limiter.ts'

/** A shared limiter that can be made unavailable and counts its calls. */
function breakable() {
  const inner = memoryLimiter()
  const state = { unavailable: false, calls: 0 }
  const source = Object.fromEntries(
    Object.entries(inner).map(([method, call]: [string, (...parameters: unknown[]) => unknown]) => [
      method,
      async (...parameters: unknown[]) => {
        state.calls += 1
        if (state.unavailable) throw new Error('gone')
        return call(...parameters)
      },
    ]),
  ) as unknown as Limiter & BudgetSource
  const limiter: Limiter & SlicedLimiter = { ...source, ...slicedLimiter(source) }
  return { limiter, state, source }
}

const check = { key: 'k', limit: 2, windowSeconds: 3_600 }

describe('a limiter with a fallback', () => {
  it('still limits while the shared limiter is unavailable, logs it once, and returns to it', async () => {
    const shared = breakable()
    const { log, lines } = recordingLog()
    let now = 0
    const limiter = limiterWithFallback(shared.limiter, memoryLimiter(), { log, now: () => now })

    shared.state.unavailable = true
    const unavailable = []
    for (let time = 0; time < 4; time++) {
      unavailable.push((await limiter.take([check])).allowed)
      now += 1_000
    }
    shared.state.unavailable = false
    const back = [(await limiter.take([check])).allowed, (await limiter.take([check])).allowed]

    expect(unavailable).toEqual([true, true, false, false])
    expect(back).toEqual([true, true])
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'info'])
  })

  it('does not use a failing shared limiter during the cooldown', async () => {
    const shared = breakable()
    let now = 0
    const limiter = limiterWithFallback(shared.limiter, memoryLimiter(), { cooldownMs: 1_000, now: () => now })
    shared.state.unavailable = true

    for (let time = 0; time < 100; time++) await limiter.take([check])
    expect(shared.state.calls).toBe(1)

    now = 1_001
    await limiter.recordFailure('account:k')
    expect(shared.state.calls).toBe(2)
  })

  describe('concurrency leases', () => {
    const hold = (limiter: RequestLimiter, holder: string) =>
      limiter.acquire({ budgets: [], lease: { key: 'p', limit: 2, holder } })
    const free = (limiter: RequestLimiter, holder: string) =>
      limiter.release({ budgets: [], lease: { key: 'p', limit: 2, holder } })

    it('keeps counting the requests of this process when the shared limiter becomes unavailable', async () => {
      const shared = breakable()
      const limiter = limiterWithFallback(shared.limiter, memoryLimiter(), { cooldownMs: 0 })
      await hold(limiter, 'before')

      shared.state.unavailable = true

      expect((await hold(limiter, 'during outage')).allowed).toBe(true)
      expect((await hold(limiter, 'one too many')).allowed).toBe(false)
      await free(limiter, 'before')
      expect((await hold(limiter, 'after one left')).allowed).toBe(true)
    })

    it('renews leases on a shared limiter that is available again', async () => {
      const shared = breakable()
      const limiter = limiterWithFallback(shared.limiter, memoryLimiter(), { cooldownMs: 0 })
      shared.state.unavailable = true
      await hold(limiter, 'during outage')
      shared.state.unavailable = false

      await limiter.renew([{ key: 'p', limit: 2, holder: 'during outage' }])

      expect((await hold(shared.limiter, 'another node')).allowed).toBe(true)
      expect((await hold(shared.limiter, 'one too many')).allowed).toBe(false)
    })

    it('frees all leases when requests end after the shared limiter is available again', async () => {
      const shared = breakable()
      const local = memoryLimiter()
      const limiter = limiterWithFallback(shared.limiter, local, { cooldownMs: 0 })
      shared.state.unavailable = true
      await hold(limiter, 'first')
      await hold(limiter, 'second')
      shared.state.unavailable = false

      await free(limiter, 'first')
      await free(limiter, 'second')

      expect((await hold(local, 'third')).allowed).toBe(true)
      expect((await hold(local, 'fourth')).allowed).toBe(true)
    })
  })

  describe('budgets of requests', () => {
    const budget = { key: 'b', limit: 600, windowSeconds: 36_000 }
    const acquireTimes = async (limiter: RequestLimiter, times: number) => {
      let allowed = 0
      for (let time = 0; time < times; time++) if ((await limiter.acquire({ budgets: [budget] })).allowed) allowed += 1
      return allowed
    }

    async function startThree() {
      const shared = breakable()
      for (const other of ['first', 'second']) await shared.source.registerProcess(other)
      const limiter = limiterWithFallback(shared.limiter, memoryLimiter(), { cooldownMs: 0 })
      await limiter.maintain()
      return { ...shared, limiter }
    }

    it('are divided by the number of processes during an outage', async () => {
      const { limiter, state } = await startThree()
      state.unavailable = true

      const result = await limiter.acquire({ budgets: [budget] })

      expect(result).toMatchObject({ allowed: true, budgets: [{ limit: 600, remaining: 199 }] })
      expect(await acquireTimes(limiter, 300)).toBe(199)
    })

    it.each([budget, { ...budget, limit: 60 }])('continue from the last known state: $limit', async (limited) => {
      const { limiter, state, source } = await startThree()
      await source.acquire({ budgets: [{ ...limited, cost: limited.limit / 2 - 1 }] })
      await limiter.acquire({ budgets: [limited] })
      state.unavailable = true

      const result = await limiter.acquire({ budgets: [limited] })

      expect(result.budgets[0]!.remaining).toBe(limited.limit / 6 - 1)
    })

    it('serve a prompt that is larger than the share', async () => {
      const { limiter, state } = await startThree()
      state.unavailable = true

      expect(await limiter.acquire({ budgets: [{ ...budget, cost: 500 }] })).toMatchObject({ allowed: true })
    })

    it('count what was allowed during an outage when the shared limiter is available again', async () => {
      const { limiter, state, source } = await startThree()
      state.unavailable = true
      await acquireTimes(limiter, 150)
      state.unavailable = false

      await limiter.acquire({ budgets: [budget] })

      await expect
        .poll(async () => (await source.acquire({ budgets: [{ ...budget, cost: 600 }] })).budgets[0]!.remaining)
        .toBeLessThanOrEqual(450)
    })

    it('keep no lease of a request that ended during an outage', async () => {
      const { limiter, state, source } = await startThree()
      const lease = { key: 'p', limit: 200, holder: 'during' }
      await limiter.acquire({ budgets: [], lease })
      state.unavailable = true
      await limiter.release({ budgets: [], lease })
      state.unavailable = false

      await limiter.close()

      const all = Array.from({ length: 200 }, async (_, index) =>
        source.acquire({ budgets: [], lease: { ...lease, holder: `other ${index}` } }),
      )
      expect((await Promise.all(all)).filter(({ allowed }) => allowed)).toHaveLength(200)
    })
  })

  it('does not use a shared limiter that is not connected', async () => {
    const shared = breakable()
    const limiter = limiterWithFallback(shared.limiter, memoryLimiter(), { isReady: () => false })

    expect(await limiter.take([check])).toEqual({ allowed: true })
    expect(shared.state.calls).toBe(0)
  })
})
