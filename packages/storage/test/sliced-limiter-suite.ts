import { beforeEach, describe, expect, it } from 'vitest'
import type { BudgetSource } from '../src/limits/budget-source.ts'
import type { ConcurrencyLease, RequestedBudget } from '../src/limits/limiter.ts'
import { slicedLimiter, type SlicedLimiter } from '../src/limits/sliced-limiter.ts'
import { manualClock, type ManualClock } from './limiter-suite.ts'

/** A process that shares its limits with others. */
interface TestProcess extends SlicedLimiter {
  readonly trips: () => number
}

/** The behaviour of processes that share limits through a source. `createSource` connects one process. */
export function slicedLimiterSuite(name: string, createSource: (clock: ManualClock) => Promise<BudgetSource>): void {
  let clock: ManualClock
  let holders = 0
  beforeEach(() => {
    clock = manualClock()
  })

  /** Processes that know of each other. */
  async function startProcesses(count: number): Promise<TestProcess[]> {
    const started: TestProcess[] = []
    for (let index = 0; index < count; index++) {
      const { source, trips } = countTrips(await createSource(clock))
      started.push({ ...slicedLimiter(source, { now: clock.now }), trips })
    }
    for (const each of started) await each.maintain()
    await maintainAll(started, 5)
    return started
  }

  async function maintainAll(all: readonly TestProcess[], seconds: number): Promise<void> {
    for (const each of all) await each.maintain() // no order is under way while the clock moves
    clock.advanceSeconds(seconds)
    for (const each of all) await each.maintain()
  }

  async function countAllowed(all: readonly TestProcess[], requests: number, budget: RequestedBudget): Promise<number> {
    let allowed = 0
    for (let request = 0; request < requests; request++) {
      if ((await all[request % all.length]!.acquire({ budgets: [budget] })).allowed) allowed += 1
    }
    return allowed
  }

  async function holdLeases(process: TestProcess, count: number, lease: Omit<ConcurrencyLease, 'holder'>) {
    const held: ConcurrencyLease[] = []
    for (let index = 0; index < count; index++) {
      const next = { ...lease, holder: `request-${holders++}` }
      if ((await process.acquire({ budgets: [], lease: next })).allowed) held.push(next)
    }
    return held
  }

  const perHour = (limit: number): RequestedBudget => ({ key: `limit-${limit}`, limit, windowSeconds: 3_600 })

  describe(`${name}: slices`, () => {
    it('serves requests at once and without a trip while a slice lasts', async () => {
      const [process] = await startProcesses(1)
      const budget = perHour(10_000)
      await countAllowed([process!], 200, budget)
      const before = process!.trips()

      const results = Array.from({ length: 100 }, () => process!.acquire({ budgets: [budget] }))

      expect(results.map((result) => result instanceof Promise)).not.toContain(true)
      expect(process!.trips()).toBe(before)
    })

    it('needs few trips for many requests of several processes', async () => {
      const all = await startProcesses(2)
      const before = all.map(({ trips }) => trips())

      const allowed = await countAllowed(all, 1_000, { key: 'many', limit: 10_000, windowSeconds: 60 })

      expect(allowed).toBe(1_000)
      const trips = all.map((each, index) => each.trips() - before[index]!)
      expect(trips[0]! + trips[1]!).toBeLessThanOrEqual(20)
    })

    it.each([200, 1_000, 5_000])('admits %i requests per hour to three processes, and not one more', async (limit) => {
      const all = await startProcesses(3)
      const budget = perHour(limit)

      const atOnce = await countAllowed(all, limit + 200, budget)
      await maintainAll(all, 2) // idle processes return what they hold
      const later = await countAllowed(all, 200, budget)

      expect(atOnce).toBeLessThanOrEqual(limit)
      expect(atOnce).toBeGreaterThan(limit * 0.95)
      const refilled = Math.floor((7 / 3_600) * limit)
      expect(atOnce + later).toBeGreaterThanOrEqual(limit)
      expect(atOnce + later).toBeLessThanOrEqual(limit + refilled)
    })

    it('keeps small limits exact: every request gets another remaining count', async () => {
      const all = await startProcesses(3)
      const budget = perHour(100)

      const results = await Promise.all(
        Array.from({ length: 150 }, async (_, index) => all[index % 3]!.acquire({ budgets: [budget] })),
      )

      const remaining = results.filter(({ allowed }) => allowed).map(({ budgets }) => budgets[0]!.remaining)
      expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, left) => left))
    })

    it('admits many concurrent requests of one process up to the limit', async () => {
      const all = await startProcesses(2)
      const budget = perHour(500)

      const results = await Promise.all(Array.from({ length: 700 }, async () => all[0]!.acquire({ budgets: [budget] })))

      expect(results.filter(({ allowed }) => allowed)).toHaveLength(500)
    })

    it('lets another process use what an idle process returned', async () => {
      const [idle, busy] = await startProcesses(2)
      const budget = perHour(1_000)
      const first = await countAllowed([idle!], 200, budget)
      await maintainAll([idle!, busy!], 2)

      const second = await countAllowed([busy!], 1_000, budget)

      expect(first).toBe(200)
      expect(second).toBe(800)
    })

    it('returns what it holds when it is closed', async () => {
      const [closing, other] = await startProcesses(2)
      const budget = perHour(1_000)
      await countAllowed([closing!], 200, budget)

      await closing!.close()

      expect(await countAllowed([other!], 1_000, budget)).toBe(800)
    })

    it('counts what a dead process held as used', async () => {
      const [dead, other] = await startProcesses(2)
      const budget = perHour(1_000)
      await countAllowed([dead!], 200, budget)
      clock.advanceSeconds(10)

      const allowed = await countAllowed([other!], 1_000, budget)

      expect(allowed).toBeLessThanOrEqual(802)
      expect(allowed).toBeGreaterThan(1_000 - 200 - 1_000 / 8)
    })

    it('rejects with the time to wait, and again without a trip', async () => {
      const [process] = await startProcesses(1)
      const budget = perHour(360)
      await countAllowed([process!], 360, budget)

      const rejected = await process!.acquire({ budgets: [budget] })
      const before = process!.trips()
      const again = process!.acquire({ budgets: [budget] })

      expect(rejected).toMatchObject({ allowed: false, retryAfterSeconds: 10, key: budget.key })
      expect(rejected.budgets).toMatchObject([{ limit: 360, remaining: 0, resetSeconds: 3_600 }])
      expect(again).toEqual(rejected)
      expect(process!.trips()).toBe(before)
      clock.advanceSeconds(10)
      expect((await process!.acquire({ budgets: [budget] })).allowed).toBe(true)
    })

    it('counts rejected requests in standing budgets', async () => {
      const [process] = await startProcesses(1)
      const standing = { ...perHour(3_000), key: 'all', standing: true }
      const successes = { ...perHour(200), key: 'successes' }
      for (let request = 0; request < 300; request++) await process!.acquire({ budgets: [standing, successes] })

      const { budgets } = await process!.acquire({ budgets: [standing, successes] })

      expect(budgets).toMatchObject([{ remaining: 3_000 - 301 }, { remaining: 0 }])
    })

    it('counts a rejected request in a standing budget that it has no slice of yet', async () => {
      const [process] = await startProcesses(1)
      const standing = { ...perHour(3_000), key: 'all', standing: true }
      const successes = { ...perHour(200), key: 'successes' }
      await countAllowed([process!], 201, successes)

      const rejected = await process!.acquire({ budgets: [standing, successes] })

      expect(rejected).toMatchObject({ allowed: false, budgets: [{ remaining: 2_999 }, { remaining: 0 }] })
    })

    it('reports an overdraft to the other processes', async () => {
      const all = await startProcesses(2)
      const budget = { key: 'tokens', limit: 100_000, windowSeconds: 60, cost: 100 }
      await countAllowed(all, 2, budget)

      const states = await all[0]!.release({ budgets: [{ ...budget, cost: 120_000 }] })
      await maintainAll(all, 1)

      expect(states).toMatchObject([{ limit: 100_000, remaining: 0 }])
      expect(await all[1]!.acquire({ budgets: [budget] })).toMatchObject({ allowed: false, retryAfterSeconds: 12 })
    })

    it('serves refunded units again, and refunds nothing beyond the limit', async () => {
      const [process] = await startProcesses(1)
      const budget = perHour(200)
      await countAllowed([process!], 200, budget)

      await process!.release({ budgets: [{ ...budget, cost: -5 }] })
      const refunded = await countAllowed([process!], 10, budget)
      await process!.release({ budgets: [{ ...budget, cost: -1_000 }] })
      const full = await countAllowed([process!], 300, budget)

      expect([refunded, full]).toEqual([5, 200])
    })
  })

  describe(`${name}: concurrency leases in advance`, () => {
    it.each([20, 200])('leaves the lease of a request to the next one without a trip: limit %i', async (limit) => {
      const [process] = await startProcesses(1)
      const lease = { key: 'leases', limit }
      const held = await holdLeases(process!, 10, lease)
      const before = process!.trips()

      for (const each of held) {
        await process!.release({ budgets: [], lease: each })
        expect(process!.acquire({ budgets: [], lease: { ...each, holder: `${each.holder}-next` } })).toMatchObject({
          allowed: true,
        })
      }

      expect(process!.trips()).toBeLessThanOrEqual(before + 1) // one may return what is too many to keep
    })

    it('never gives out more than the limit, and all of it once leases are returned', async () => {
      const all = await startProcesses(3)
      const lease = { key: 'shared-leases', limit: 300 }
      const first = await holdLeases(all[0]!, 100, lease)
      const second = await holdLeases(all[1]!, 300, lease)
      const third = await holdLeases(all[2]!, 100, lease)
      expect(first.length + second.length + third.length).toBeLessThanOrEqual(300)

      for (const each of first) await all[0]!.release({ budgets: [], lease: each })
      await maintainAll(all, 1)
      await maintainAll(all, 1)
      const after = await holdLeases(all[2]!, 300, lease)

      expect(second.length + third.length + after.length).toBe(300)
    })

    it('frees the leases of a killed process after a minute, and keeps those of a running one', async () => {
      const [killed, running] = await startProcesses(2)
      const lease = { key: 'killed', limit: 200 }
      await holdLeases(killed!, 90, lease)
      const held = await holdLeases(running!, 50, lease)
      for (let second = 0; second < 61; second++) await maintainAll([running!], 1)

      const after = await holdLeases(running!, 200, lease)

      expect(held.length + after.length).toBe(200)
    })

    it('rejects without a free lease, and takes no units', async () => {
      const [process] = await startProcesses(1)
      const lease = { key: 'full', limit: 150 }
      const budget = { ...perHour(1_000), key: 'beside' }
      await holdLeases(process!, 150, lease)

      const rejected = await process!.acquire({ budgets: [budget], lease: { ...lease, holder: 'late' } })

      expect(rejected).toMatchObject({ allowed: false, retryAfterSeconds: 1, key: 'full' })
      expect(rejected.budgets).toMatchObject([{ remaining: 1_000 }])
    })
  })
}

/** Each call of a source is one round trip. */
export function countTrips(source: BudgetSource): { source: BudgetSource; trips: () => number } {
  let trips = 0
  const counted = Object.fromEntries(
    Object.entries(source).map(([method, call]: [string, (...parameters: unknown[]) => unknown]) => [
      method,
      (...parameters: unknown[]) => {
        trips += 1
        return call(...parameters)
      },
    ]),
  ) as unknown as BudgetSource
  return { source: counted, trips: () => trips }
}
