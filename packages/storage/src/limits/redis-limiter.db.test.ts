import { createServer, type Server, type Socket } from 'node:net'
import { throwAwayRedis } from '@tidegate/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordingLog } from '../../test/recording-log.ts'
import { callLimiterSuite } from '../../test/request-limiter-suite.ts'
import { connectRedis, type RedisHandle } from './connect-redis.ts'
import { createLimiter } from './create-limiter.ts'
import { limiterSuite } from '../../test/limiter-suite.ts'
import { redisLimiter } from './redis-limiter.ts'

const corner = throwAwayRedis()
let redis: RedisHandle

beforeAll(async () => {
  redis = await connectRedis(corner.url, corner.prefix, { commandTimeoutMs: 5_000 })
})
afterAll(async () => {
  await redis.close()
  await corner.close()
})

limiterSuite('the Redis limiter', (clock) => redisLimiter(redis, { now: clock.now }))
callLimiterSuite('the Redis limiter', (clock) => redisLimiter(redis, { now: clock.now }))

describe('the Redis limiter', () => {
  it('shares budgets between nodes, on the clock of Redis', async () => {
    const other = await connectRedis(corner.url, corner.prefix, { commandTimeoutMs: 5_000 })
    const nodes = [redisLimiter(redis), redisLimiter(other)]
    const check = { key: 'shared', limit: 10, windowSeconds: 3_600 }

    const results = await Promise.all(Array.from({ length: 30 }, (_, index) => nodes[index % 2]!.take([check])))
    await other.close()

    expect(results.filter(({ allowed }) => allowed)).toHaveLength(10)
  })

  it('shares leases between nodes, and renews more of them than fit into one script', async () => {
    const other = await connectRedis(corner.url, corner.prefix, { commandTimeoutMs: 5_000 })
    const nodes = [redisLimiter(redis), redisLimiter(other)]
    const aLease = (holder: string, limit: number) => ({ key: 'shared', limit, holder })

    const results = await Promise.all(
      Array.from({ length: 30 }, async (_, index) =>
        nodes[index % 2]!.acquire({ budgets: [], lease: aLease(`holder-${index}`, 10) }),
      ),
    )
    await nodes[0]!.renew(Array.from({ length: 1_200 }, (_, index) => aLease(`renewed-${index}`, 10)))
    await other.close()

    expect(results.filter(({ allowed }) => allowed)).toHaveLength(10)
    expect(await redis.client.zCard('places:shared')).toBe(1_210)
  })

  it('leaves no key without an expiry', async () => {
    const limiter = redisLimiter(redis)
    await limiter.take([{ key: 'expiring', limit: 10, windowSeconds: 60 }])
    await limiter.recordFailure('account:expiring')
    await limiter.release({ budgets: [{ key: 'overdrawn', limit: 10, windowSeconds: 60, cost: 100 }] })
    await limiter.renew([{ key: 'expiring', limit: 1, holder: 'alex' }])

    expect(await redis.client.pTTL('limit:expiring')).toBeGreaterThan(0)
    expect(await redis.client.pTTL('failures:account:expiring')).toBeGreaterThan(0)
    expect(await redis.client.pTTL('limit:overdrawn')).toBeGreaterThan(600_000)
    expect(await redis.client.pTTL('places:expiring')).toBeGreaterThan(0)
  })

  it('works again after Redis lost its scripts', async () => {
    const limiter = redisLimiter(redis)
    const check = { key: 'flushed', limit: 10, windowSeconds: 60 }
    await limiter.take([check])

    await redis.client.scriptFlush()

    expect(await limiter.take([check])).toEqual({ allowed: true })
  })
})

describe('a Redis that is unavailable', () => {
  it('does not delay a start or a request, and is used as soon as it is available', async () => {
    const relay = await redisRelay(corner.url)
    await relay.close()
    const { log, lines } = recordingLog()
    const late = await connectRedis(relay.url, `${corner.prefix}late:`, { log })
    const limiter = createLimiter({ redis: late, log })
    const check = { key: 'k', limit: 100, windowSeconds: 3_600 }
    expect(late.isReady()).toBe(false)
    expect(await limiter.take([check])).toEqual({ allowed: true })

    await relay.open()
    await expect.poll(() => late.isReady(), { timeout: 30_000 }).toBe(true)
    await expect
      .poll(
        async () => {
          await limiter.take([check])
          return redis.client.exists('late:limit:k')
        },
        { timeout: 30_000 },
      )
      .toBe(1)

    expect(lines.filter(({ message }) => message === 'rate limits are counted locally')).toHaveLength(1)
    await late.close()
    await relay.close()
  })

  it('is treated as unavailable when it is connected but does not respond', async () => {
    const relay = await redisRelay(corner.url)
    const slow = await connectRedis(relay.url, `${corner.prefix}slow:`, { commandTimeoutMs: 50 })
    const limiter = createLimiter({ redis: slow })
    await slow.ping()

    relay.silence()
    expect(await limiter.take([{ key: 'k', limit: 1, windowSeconds: 60 }])).toEqual({ allowed: true })
    expect(await limiter.take([{ key: 'k', limit: 1, windowSeconds: 60 }])).toMatchObject({ allowed: false })
    await slow.close()
    await relay.close()
  })
})

it('is not treated as unavailable when this process was busy', async () => {
  const handle = await connectRedis(corner.url, corner.prefix, { commandTimeoutMs: 50 })

  const result = handle.withTimeout(handle.client.ping())
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150) // blocks this process

  await expect(result).resolves.toBe('PONG')
  await handle.close()
})

/** A proxy in front of Redis that a test can close, open again, or make silent. */
async function redisRelay(target: string) {
  const { hostname, port } = new URL(target)
  const { connect } = await import('node:net')
  const sockets = new Set<Socket>()
  let silent = false
  let server: Server
  let address = 0

  async function open(): Promise<void> {
    server = createServer((client) => {
      const upstream = connect(Number(port || 6379), hostname)
      for (const socket of [client, upstream]) {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => sockets.delete(socket))
      }
      client.on('data', (data) => silent || upstream.write(data))
      upstream.on('data', (data) => silent || client.write(data))
      client.on('close', () => upstream.destroy())
      upstream.on('close', () => client.destroy())
    })
    await new Promise<void>((resolve) => server.listen(address, '127.0.0.1', resolve))
    address = (server.address() as { port: number }).port
  }

  async function close(): Promise<void> {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }

  await open()
  return { url: `redis://127.0.0.1:${address}`, open, close, silence: () => (silent = true) }
}
