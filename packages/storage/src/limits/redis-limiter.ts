import type { RedisHandle } from './connect-redis.ts'
import { FAILURE_MEMORY_SECONDS, failureDelaySeconds } from './failure-delay.ts'
import { realChecks, type Check, type Limiter } from './limiter.ts'
import { clockArgument } from './redis-scripts.ts'

export interface RedisLimiterOptions {
  /** Milliseconds since the epoch; Redis's own clock when left out. */
  now?: () => number
}

/** Limits shared by all nodes. Throws when Redis is away; `limiterWithFallback` is for serving. */
export function redisLimiter(
  redis: Pick<RedisHandle, 'client' | 'within'>,
  { now }: RedisLimiterOptions = {},
): Limiter {
  const { client, within } = redis
  const failureKey = (key: string) => `failures:${key}`

  const budgets = (checks: readonly Required<Check>[]): [string[], number[]] => [
    checks.map(({ key }) => `limit:${key}`),
    [
      clockArgument(now),
      ...checks.flatMap(({ limit, windowSeconds, cost }) => [limit, windowSeconds * 1_000_000, cost]),
    ],
  ]

  return {
    async take(checks) {
      const real = realChecks(checks)
      if (real.length === 0) return { allowed: true }
      const { refused, waitSeconds } = await within(client.takeAll(...budgets(real)))
      return refused === 0
        ? { allowed: true }
        : { allowed: false, retryAfterSeconds: waitSeconds, key: real[refused - 1]!.key }
    },
    async giveBack(checks) {
      const real = realChecks(checks)
      if (real.length > 0) await within(client.giveAllBack(...budgets(real)))
    },
    async delayAfterFailures(key) {
      const { count, ageMicroseconds } = await within(
        client.readFailures(failureKey(key), [clockArgument(now), FAILURE_MEMORY_SECONDS]),
      )
      return Math.max(0, Math.ceil(failureDelaySeconds(count) - ageMicroseconds / 1_000_000))
    },
    async recordFailure(key) {
      const count = await within(client.recordFailure(failureKey(key), [clockArgument(now), FAILURE_MEMORY_SECONDS]))
      return failureDelaySeconds(count)
    },
    takeTry: (key) => within(client.takeTry(failureKey(key), [clockArgument(now), FAILURE_MEMORY_SECONDS])),
    async clearFailures(key) {
      await within(client.del(failureKey(key)))
    },
  }
}
