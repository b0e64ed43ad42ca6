import { type BudgetSource, sliceExpiryMs, type SliceHolder } from './budget-source.ts'
import {
  type AcquireRequest,
  type AcquireResult,
  type BudgetState,
  type Budget,
  type RequestedBudget,
  FAILURE_MEMORY_SECONDS,
  failureDelaySeconds,
  type FailureKey,
  type Limiter,
  type ReleaseRequest,
  effectiveBudgets,
} from './limiter.ts'
import type { RedisHandle } from './connect-redis.ts'
import { clockArgument } from './redis-scripts.ts'
import { shareArgument } from './slice-scripts.ts'

export interface RedisLimiterOptions {
  /** Milliseconds since 1970. Defaults to the clock of Redis. */
  now?: () => number
}

/** A script blocks Redis while it runs, so many keys are sent in batches. */
const BATCH = 500
const SLICE_BATCH = 100

/** Rate limits shared by all nodes. Throws when Redis is unavailable; serve requests with `limiterWithFallback`. */
export function redisLimiter(
  redis: Pick<RedisHandle, 'client' | 'withTimeout'>,
  { now }: RedisLimiterOptions = {},
): Limiter & BudgetSource {
  const { client, withTimeout } = redis
  const failureKey = (key: FailureKey) => `failures:${key}`
  const budgetKeys = (budgets: readonly Budget[]) => budgets.map(({ key }) => `limit:${key}`)
  const sliceKeys = (budgets: readonly { key: string }[]) =>
    budgets.flatMap(({ key }) => [`limit:${key}`, `slices:${key}`])
  // The prefix is older than the name; running processes share it.
  const leasesKey = (key: string) => `places:${key}`

  const acquire = async ({ budgets, lease }: AcquireRequest): Promise<AcquireResult> => {
    const effective = effectiveBudgets(budgets)
    if (effective.length === 0 && !lease) return { allowed: true, budgets: [] }
    const keys = [...sliceKeys(effective), ...(lease ? [leasesKey(lease.key)] : [])]
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

  const release = async ({ budgets, lease }: ReleaseRequest): Promise<BudgetState[]> => {
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

  const holderArguments = ({ process, processes }: SliceHolder) => [
    clockArgument(now),
    process,
    shareArgument(processes),
  ]

  return {
    acquire,
    release,
    async renew(leases) {
      await inBatches(leases, BATCH, async (batch) => {
        const keys = batch.map(({ key }) => leasesKey(key))
        await withTimeout(client.renewLeases(keys, [clockArgument(now), ...batch.map(({ holder }) => holder)]))
        return []
      })
    },
    takeSlices: (holder, orders) =>
      inBatches(orders, SLICE_BATCH, (batch) =>
        withTimeout(
          client.takeSlices(sliceKeys(batch), [
            ...holderArguments(holder),
            ...batch.flatMap(({ limit, windowSeconds, held, refund, least, need, extra }) => [
              limit,
              windowSeconds * 1_000_000,
              sliceExpiryMs(windowSeconds) * 1_000,
              held,
              refund,
              least,
              need,
              extra,
            ]),
          ]),
        ),
      ),
    takeLeases: (holder, orders) =>
      inBatches(orders, SLICE_BATCH, (batch) =>
        withTimeout(
          client.takeLeases(
            batch.map(({ key }) => leasesKey(key)),
            [
              ...holderArguments(holder),
              ...batch.flatMap(({ limit, least, need, extra, prefix }) => [limit, least, need, extra, prefix]),
            ],
          ),
        ),
      ),
    async freeLeases(leases) {
      await inBatches(leases, BATCH, async (batch) => {
        const keys = batch.map(({ key }) => leasesKey(key))
        await withTimeout(
          client.freeLeases(
            keys,
            batch.map(({ holder }) => holder),
          ),
        )
        return []
      })
    },
    registerProcess: (process) => withTimeout(client.registerProcess(['processes'], [clockArgument(now), process])),
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

/** Sends all batches at once, and returns their results in order. */
async function inBatches<Item, Result>(
  items: readonly Item[],
  size: number,
  send: (batch: readonly Item[]) => Promise<Result[]>,
): Promise<Result[]> {
  const batches = Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
  return (await Promise.all(batches.map(send))).flat()
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
