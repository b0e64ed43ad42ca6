import {
  type BudgetState,
  type CallLimiter,
  type Check,
  type EntryBudget,
  FAILURE_MEMORY_SECONDS,
  failureDelaySeconds,
  type FailureKey,
  type Limiter,
  realChecks,
} from './limiter.ts'
import type { RedisHandle } from './connect-redis.ts'
import { clockArgument } from './redis-scripts.ts'

export interface RedisLimiterOptions {
  /** Milliseconds since the epoch; Redis's own clock when left out. */
  now?: () => number
}

/** A script stops everybody else for as long as it runs. */
const RENEWED_AT_ONCE = 500

/** Limits shared by all nodes. Throws when Redis is away; `limiterWithFallback` is for serving. */
export function redisLimiter(
  redis: Pick<RedisHandle, 'client' | 'within'>,
  { now }: RedisLimiterOptions = {},
): Limiter & CallLimiter {
  const { client, within } = redis
  const failureKey = (key: FailureKey) => `failures:${key}`
  const budgetKeys = (budgets: readonly Check[]) => budgets.map(({ key }) => `limit:${key}`)
  const placesKey = (key: string) => `places:${key}`

  const enter: CallLimiter['enter'] = async ({ budgets, place }) => {
    const real = realChecks(budgets)
    if (real.length === 0 && !place) return { allowed: true, budgets: [] }
    const keys = [...budgetKeys(real), ...(place ? [placesKey(place.key)] : [])]
    const { refused, waitSeconds, states } = await within(
      client.enter(keys, [
        clockArgument(now),
        real.length,
        ...real.flatMap(entryArguments),
        ...(place ? [place.limit, place.holder] : []),
      ]),
    )
    const standings = statesOf(real, states)
    if (refused === 0) return { allowed: true, budgets: standings }
    const { key } = real[refused - 1] ?? place!
    return { allowed: false, retryAfterSeconds: waitSeconds, key, budgets: standings }
  }

  const leave: CallLimiter['leave'] = async ({ budgets, place }) => {
    if (budgets.length === 0 && !place) return []
    const keys = [...budgetKeys(budgets), ...(place ? [placesKey(place.key)] : [])]
    const states = await within(
      client.leave(keys, [
        clockArgument(now),
        budgets.length,
        ...budgets.flatMap(({ limit, windowSeconds, cost }) => [limit, windowSeconds * 1_000_000, cost]),
        ...(place ? [place.holder] : []),
      ]),
    )
    return statesOf(budgets, states)
  }

  return {
    enter,
    leave,
    async renew(places) {
      for (let from = 0; from < places.length; from += RENEWED_AT_ONCE) {
        const some = places.slice(from, from + RENEWED_AT_ONCE)
        const keys = some.map(({ key }) => placesKey(key))
        await within(client.renewPlaces(keys, [clockArgument(now), ...some.map(({ holder }) => holder)]))
      }
    },
    async take(checks) {
      const { budgets: _, ...taken } = await enter({ budgets: checks })
      return taken
    },
    async giveBack(checks) {
      await leave({ budgets: realChecks(checks).map((check) => ({ ...check, cost: -check.cost })) })
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

function entryArguments({ limit, windowSeconds, cost, standing }: EntryBudget & Required<Check>): number[] {
  return [limit, windowSeconds * 1_000_000, cost, standing ? 1 : 0]
}

function statesOf(budgets: readonly Check[], states: readonly { remaining: number; resetMs: number }[]): BudgetState[] {
  return budgets.map(({ key, limit }, index) => {
    const { remaining, resetMs } = states[index]!
    return { key, limit, remaining, resetSeconds: resetMs / 1_000 }
  })
}
