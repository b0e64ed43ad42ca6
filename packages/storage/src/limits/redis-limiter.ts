import {
  type BudgetState,
  type RequestLimiter,
  type Budget,
  type RequestedBudget,
  FAILURE_MEMORY_SECONDS,
  failureDelaySeconds,
  type FailureKey,
  type Limiter,
  effectiveBudgets,
} from './limiter.ts'
import type { RedisHandle } from './connect-redis.ts'
import { clockArgument } from './redis-scripts.ts'

export interface RedisLimiterOptions {
  /** Milliseconds since 1970. Defaults to the clock of Redis. */
  now?: () => number
}

/** A script blocks Redis while it runs, so leases are renewed in batches. */
const RENEW_BATCH = 500

/** Rate limits shared by all nodes. Throws when Redis is unavailable; serve requests with `limiterWithFallback`. */
export function redisLimiter(
  redis: Pick<RedisHandle, 'client' | 'withTimeout'>,
  { now }: RedisLimiterOptions = {},
): Limiter & RequestLimiter {
  const { client, withTimeout } = redis
  const failureKey = (key: FailureKey) => `failures:${key}`
  const budgetKeys = (budgets: readonly Budget[]) => budgets.map(({ key }) => `limit:${key}`)
  // The prefix is older than the name; running processes share it.
  const leasesKey = (key: string) => `places:${key}`

  const acquire: RequestLimiter['acquire'] = async ({ budgets, lease }) => {
    const effective = effectiveBudgets(budgets)
    if (effective.length === 0 && !lease) return { allowed: true, budgets: [] }
    const keys = [...budgetKeys(effective), ...(lease ? [leasesKey(lease.key)] : [])]
    const { rejectedIndex, waitSeconds, states } = await withTimeout(
      client.acquire(keys, [
        clockArgument(now),
        effective.length,
        ...effective.flatMap(budgetArguments),
        ...(lease ? [lease.limit, lease.holder] : []),
      ]),
    )
    const budgetStates = statesOf(effective, states)
    if (rejectedIndex === 0) return { allowed: true, budgets: budgetStates }
    const { key } = effective[rejectedIndex - 1] ?? lease!
    return { allowed: false, retryAfterSeconds: waitSeconds, key, budgets: budgetStates }
  }

  const release: RequestLimiter['release'] = async ({ budgets, lease }) => {
    if (budgets.length === 0 && !lease) return []
    const keys = [...budgetKeys(budgets), ...(lease ? [leasesKey(lease.key)] : [])]
    const states = await withTimeout(
      client.release(keys, [
        clockArgument(now),
        budgets.length,
        ...budgets.flatMap(({ limit, windowSeconds, cost }) => [limit, windowSeconds * 1_000_000, cost]),
        ...(lease ? [lease.holder] : []),
      ]),
    )
    return statesOf(budgets, states)
  }

  return {
    acquire,
    release,
    async renew(leases) {
      for (let from = 0; from < leases.length; from += RENEW_BATCH) {
        const batch = leases.slice(from, from + RENEW_BATCH)
        const keys = batch.map(({ key }) => leasesKey(key))
        await withTimeout(client.renewLeases(keys, [clockArgument(now), ...batch.map(({ holder }) => holder)]))
      }
    },
    async take(checks) {
      const { budgets: _, ...taken } = await acquire({ budgets: checks })
      return taken
    },
    async refund(checks) {
      await release({ budgets: effectiveBudgets(checks).map((check) => ({ ...check, cost: -check.cost })) })
    },
    async delayAfterFailures(key) {
      const { count, ageMicroseconds } = await withTimeout(
        client.readFailures(failureKey(key), [clockArgument(now), FAILURE_MEMORY_SECONDS]),
      )
      return Math.max(0, Math.ceil(failureDelaySeconds(count) - ageMicroseconds / 1_000_000))
    },
    async recordFailure(key) {
      const count = await withTimeout(
        client.recordFailure(failureKey(key), [clockArgument(now), FAILURE_MEMORY_SECONDS]),
      )
      return failureDelaySeconds(count)
    },
    takeAttempt: (key) =>
      withTimeout(client.takeAttempt(failureKey(key), [clockArgument(now), FAILURE_MEMORY_SECONDS])),
    async clearFailures(key) {
      await withTimeout(client.del(failureKey(key)))
    },
  }
}

function budgetArguments({ limit, windowSeconds, cost, standing }: RequestedBudget & Required<Budget>): number[] {
  return [limit, windowSeconds * 1_000_000, cost, standing ? 1 : 0]
}

function statesOf(
  budgets: readonly Budget[],
  states: readonly { remaining: number; resetMs: number }[],
): BudgetState[] {
  return budgets.map(({ key, limit }, index) => {
    const { remaining, resetMs } = states[index]!
    return { key, limit, remaining, resetSeconds: resetMs / 1_000 }
  })
}
