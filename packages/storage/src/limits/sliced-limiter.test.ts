import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { callLimiterSuite } from '../../test/request-limiter-suite.ts'
import { manualClock } from '../../test/limiter-suite.ts'
import { slicedLimiterSuite } from '../../test/sliced-limiter-suite.ts'
import type { ConcurrencyLease } from './limiter.ts'
import { memoryLimiter, type MemoryLimiter } from './memory-limiter.ts'
import { slicedLimiter, type SlicedLimiter } from './sliced-limiter.ts'

const sources = new WeakMap<object, MemoryLimiter>()
slicedLimiterSuite('a source in memory', async (clock) => {
  const known = sources.get(clock) ?? memoryLimiter({ now: clock.now })
  sources.set(clock, known)
  return known
})

callLimiterSuite('the sliced limiter', (clock) => {
  const limiter = slicedLimiter(memoryLimiter({ now: clock.now }), { now: clock.now })
  void limiter.maintain() // registers before the second request
  return {
    ...limiter,
    async release(request) {
      const states = await limiter.release(request)
      await limiter.maintain() // an overdraft has reached the source before the test moves the clock
      return states
    },
  }
})

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('requests' as const),
      at: fc.nat(4),
      count: fc.integer({ min: 1, max: 60 }),
      cost: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('time' as const), ms: fc.integer({ min: 1, max: 4_000 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('maintain' as const), at: fc.nat(4) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('refund' as const),
      at: fc.nat(4),
      cost: fc.integer({ min: 1, max: 20 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), at: fc.nat(4) }) },
)

it('never admits more than the limit and its refill, in any window, to up to five processes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 128, max: 2_000 }),
      fc.constantFrom(1, 10, 60),
      fc.array(step, { minLength: 5, maxLength: 60 }),
      async (processes, limit, windowSeconds, steps) => {
        const clock = manualClock()
        const source = memoryLimiter({ now: clock.now })
        const start = () => slicedLimiter(source, { now: clock.now })
        const all: SlicedLimiter[] = Array.from({ length: processes }, start)
        for (const each of all) await each.maintain()
        const stepMs = (windowSeconds * 1_000) / limit
        let fullMs = 0
        let admittedUnits = 0

        for (const action of steps) {
          if (action.kind === 'time') clock.ms += action.ms
          else {
            const index = action.at % processes
            if (action.kind === 'maintain') await all[index]!.maintain()
            if (action.kind === 'refund') {
              const cost = -Math.min(action.cost, admittedUnits)
              if (cost < 0) await all[index]!.release({ budgets: [{ key: 'k', limit, windowSeconds, cost }] })
              await all[index]!.maintain() // the refund has arrived before the clock moves
              admittedUnits += cost
              fullMs += cost * stepMs
            }
            if (action.kind === 'kill') await (all[index] = start()).maintain()
            if (action.kind === 'requests') {
              const budget = { key: 'k', limit, windowSeconds, cost: action.cost }
              const results = await Promise.all(
                Array.from({ length: action.count }, async (_, request) =>
                  all[(index + request) % processes]!.acquire({ budgets: [budget] }),
                ),
              )
              const admitted = results.filter(({ allowed }) => allowed).length * action.cost
              admittedUnits += admitted
              fullMs = Math.max(clock.ms, fullMs) + admitted * stepMs
              expect(fullMs - clock.ms).toBeLessThanOrEqual(windowSeconds * 1_000 + 0.01)
            }
          }
        }
      },
    ),
    { numRuns: 150 },
  )
})

const leaseStep = fc.record({
  kind: fc.constantFrom('acquire' as const, 'acquire' as const, 'release' as const, 'time' as const, 'kill' as const),
  at: fc.nat(3),
  count: fc.integer({ min: 1, max: 30 }),
})

it('never holds more concurrency leases than the limit, and gives all of them out again', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 8, max: 200 }),
      fc.array(leaseStep, { minLength: 5, maxLength: 40 }),
      async (processes, limit, steps) => {
        const clock = manualClock()
        const source = memoryLimiter({ now: clock.now })
        const start = () => slicedLimiter(source, { now: clock.now })
        const all: SlicedLimiter[] = Array.from({ length: processes }, start)
        const held = all.map((): ConcurrencyLease[] => [])
        const maintain = async () => {
          for (const each of all) await each.maintain()
        }
        await maintain()
        let requests = 0
        let lost = 0
        const running = () => held.reduce((sum, leases) => sum + leases.length, lost)

        const acquire = async (index: number) => {
          const lease = { key: 'k', limit, holder: `request-${requests++}` }
          if ((await all[index]!.acquire({ budgets: [], lease })).allowed) held[index]!.push(lease)
        }

        for (const { kind, at, count } of steps) {
          const index = at % processes
          if (kind === 'acquire') await Promise.all(Array.from({ length: count }, () => acquire(index)))
          if (kind === 'release') {
            for (const lease of held[index]!.splice(0, count)) await all[index]!.release({ budgets: [], lease })
          }
          if (kind === 'time') {
            await maintain()
            clock.advanceSeconds(1)
          }
          if (kind === 'kill' && lost === 0) {
            lost = held[index]!.length
            held[index] = []
            await (all[index] = start()).maintain()
          }
          expect(running()).toBeLessThanOrEqual(limit)
        }

        for (let second = 0; second < 61; second++) {
          await maintain()
          for (const [index, each] of all.entries()) await each.renew(held[index]!)
          clock.advanceSeconds(1)
        }
        lost = 0
        await maintain()
        for (let request = 0; request < limit + 5; request++) await acquire(0)
        expect(running()).toBe(limit)
      },
    ),
    { numRuns: 60 },
  )
})

it('does not send orders to a source that has just failed', async () => {
  const trip = Promise.withResolvers<never>()
  let trips = 0
  const limiter = slicedLimiter({
    ...memoryLimiter(),
    takeSlices() {
      trips += 1
      return trip.promise
    },
  })
  await limiter.maintain()
  const acquire = async (key: string) => limiter.acquire({ budgets: [{ key, limit: 1_000, windowSeconds: 60 }] })
  const first = acquire('first')
  await expect.poll(() => trips).toBe(1)
  const second = acquire('second') // waits for the trip that is under way

  trip.reject(new Error('gone'))

  expect(await Promise.allSettled([first, second])).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
  expect(trips).toBe(1)
})
