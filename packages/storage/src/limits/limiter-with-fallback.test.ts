import { describe, expect, it } from 'vitest'
import { recordingLog } from '../../test/recording-log.ts'
import type { RequestLimiter, Limiter } from './limiter.ts'
import { limiterWithFallback } from './limiter-with-fallback.ts'
import { memoryLimiter } from './memory-limiter.ts'

/** A shared limiter that can be made unavailable and counts its calls. */
function breakable() {
  const inner = memoryLimiter()
  const state = { unavailable: false, calls: 0 }
  const through = <Result>(result: () => Promise<Result>): Promise<Result> => {
    state.calls += 1
    return state.unavailable ? Promise.reject(new Error('gone')) : result()
  }
  const limiter: Limiter & RequestLimiter = {
    acquire: (entry) => through(() => inner.acquire(entry)),
    release: (departure) => through(() => inner.release(departure)),
    renew: (places) => through(() => inner.renew(places)),
    take: (checks) => through(() => inner.take(checks)),
    delayAfterFailures: (key) => through(() => inner.delayAfterFailures(key)),
    recordFailure: (key) => through(() => inner.recordFailure(key)),
    takeAttempt: (key) => through(() => inner.takeAttempt(key)),
    refund: (checks) => through(() => inner.refund(checks)),
    clearFailures: (key) => through(() => inner.clearFailures(key)),
  }
  return { limiter, state }
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

  it('does not use a shared limiter that is not connected', async () => {
    const shared = breakable()
    const limiter = limiterWithFallback(shared.limiter, memoryLimiter(), { isReady: () => false })

    expect(await limiter.take([check])).toEqual({ allowed: true })
    expect(shared.state.calls).toBe(0)
  })
})
