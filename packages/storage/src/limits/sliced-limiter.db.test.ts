import { throwAwayRedis } from '@tidegate/testing'
import { afterAll, afterEach, expect, it } from 'vitest'
import type { ManualClock } from '../../test/limiter-suite.ts'
import { slicedLimiterSuite } from '../../test/sliced-limiter-suite.ts'
import { connectRedis, type RedisHandle } from './connect-redis.ts'
import { createLimiter } from './create-limiter.ts'
import { redisLimiter } from './redis-limiter.ts'
import { slicedLimiter, type SlicedLimiter } from './sliced-limiter.ts'

const corner = throwAwayRedis()
const open: RedisHandle[] = []
const prefixes = new WeakMap<object, string>()
let tests = 0

/** Connects one process. Processes with one clock share their limits. */
async function connect(clock: object): Promise<RedisHandle> {
  const prefix = prefixes.get(clock) ?? `${corner.prefix}${tests++}:`
  prefixes.set(clock, prefix)
  const handle = await connectRedis(corner.url, prefix, { commandTimeoutMs: 5_000 })
  open.push(handle)
  return handle
}

afterEach(async () => {
  for (const handle of open.splice(0)) await handle.close()
})
afterAll(() => corner.close())

slicedLimiterSuite('Redis as a source', async (clock: ManualClock) =>
  redisLimiter(await connect(clock), { now: clock.now }),
)

it('uses the clock of Redis, so that nodes with different clocks share a limit', async () => {
  const site = {}
  const nodes: SlicedLimiter[] = []
  for (const aheadMs of [0, 3_600_000, -3_600_000]) {
    const now = () => performance.now() + aheadMs
    nodes.push(slicedLimiter(redisLimiter(await connect(site)), { now }))
  }
  for (const node of nodes) await node.maintain()
  const budget = { key: 'clocks', limit: 1_000, windowSeconds: 36_000 }

  const results = await Promise.all(
    Array.from({ length: 3_000 }, async (_, index) => nodes[index % 3]!.acquire({ budgets: [budget] })),
  )

  const admitted = results.filter(({ allowed }) => allowed).length
  expect(admitted).toBeLessThanOrEqual(1_000)
  expect(admitted).toBeGreaterThan(900)
})

it('serves the requests of a server without waiting for Redis', async () => {
  const limiter = createLimiter({ redis: await connect({}) })
  const lease = { key: 'server', limit: 40, holder: 'ada' }
  const request = { budgets: [{ key: 'server', limit: 1_000_000, windowSeconds: 60 }], lease }

  await expect
    .poll(async () => {
      const acquired = limiter.acquire(request)
      const isWaiting = acquired instanceof Promise
      await acquired
      const released = limiter.release({ budgets: [], lease })
      return isWaiting || released instanceof Promise
    })
    .toBe(false)
  await limiter.close()
})

it('leaves no key without an expiry', async () => {
  const handle = await connect({})
  const limiter = slicedLimiter(redisLimiter(handle))
  await limiter.maintain()
  await limiter.acquire({
    budgets: [{ key: 'expiring', limit: 1_000, windowSeconds: 60 }],
    lease: { key: 'expiring', limit: 1_000, holder: 'ada' },
  })

  const keys = ['limit:expiring', 'slices:expiring', 'places:expiring', 'processes']
  const expiries = await Promise.all(keys.map((key) => handle.client.pTTL(key)))

  expect(Math.min(...expiries)).toBeGreaterThan(0)
})
