import { FAILURE_MEMORY_SECONDS, failureDelaySeconds } from './failure-delay.ts'
import { realChecks, type Check, type Limiter, type Taken } from './limiter.ts'

export interface MemoryLimiterOptions {
  /** Budgets and failing keys remembered at most, each; the longest untouched are forgotten first. */
  max?: number
  /** Milliseconds since the epoch. */
  now?: () => number
}

interface Failures {
  count: number
  lastMs: number
}

/** Limits of one process. The same arithmetic as `redis-scripts.ts`; `limiter-suite.ts` holds the two together. */
export function memoryLimiter({ max = 50_000, now = Date.now }: MemoryLimiterOptions = {}): Limiter {
  /** Key to the moment its budget will be full again. */
  const fullAt = boundedMap<number>(max)
  const failures = boundedMap<Failures>(max)

  function take(checks: readonly Check[]): Taken {
    const nowMs = now()
    const after = new Map<string, number>()
    let refusal: { waitMs: number; key: string } | undefined
    for (const { key, limit, windowSeconds, cost } of realChecks(checks)) {
      const windowMs = windowSeconds * 1_000
      const next = Math.max(nowMs, fullAt.get(key) ?? 0) + (cost * windowMs) / limit
      const waitMs = next - nowMs - windowMs
      if (waitMs > ROUNDING_MS && waitMs > (refusal?.waitMs ?? 0)) refusal = { waitMs, key }
      after.set(key, next)
    }
    if (refusal) {
      return { allowed: false, retryAfterSeconds: Math.ceil(refusal.waitMs / 1_000), key: refusal.key }
    }
    for (const [key, moment] of after) fullAt.set(key, moment)
    return { allowed: true }
  }

  function remembered(key: string): Failures | undefined {
    const known = failures.get(key)
    return known && now() - known.lastMs < FAILURE_MEMORY_SECONDS * 1_000 ? known : undefined
  }

  function delayOf(key: string): number {
    const known = remembered(key)
    if (!known) return 0
    const freeAt = known.lastMs + failureDelaySeconds(known.count) * 1_000
    return Math.max(0, Math.ceil((freeAt - now()) / 1_000))
  }

  function countFailure(key: string): number {
    const count = (remembered(key)?.count ?? 0) + 1
    failures.set(key, { count, lastMs: now() })
    return failureDelaySeconds(count)
  }

  return {
    take: async (checks) => take(checks),
    async giveBack(checks) {
      for (const { key, limit, windowSeconds, cost } of realChecks(checks)) {
        const full = fullAt.get(key)
        if (full !== undefined) fullAt.set(key, full - (cost * windowSeconds * 1_000) / limit)
      }
    },
    delayAfterFailures: async (key) => delayOf(key),
    recordFailure: async (key) => countFailure(key),
    async takeTry(key) {
      const seconds = delayOf(key)
      if (seconds === 0) countFailure(key)
      return seconds
    },
    async clearFailures(key) {
      failures.delete(key)
    },
  }
}

/** Sums of thirds miss the window by a hair; nobody is refused for that. */
const ROUNDING_MS = 0.001

interface BoundedMap<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
}

/** A map keeps insertion order, so setting a key anew at the end makes the first key the longest untouched. */
function boundedMap<Value>(max: number): BoundedMap<Value> {
  const map = new Map<string, Value>()
  return {
    get: (key) => map.get(key),
    set(key, value) {
      map.delete(key)
      map.set(key, value)
      if (map.size > max) map.delete(map.keys().next().value!)
    },
    delete: (key) => void map.delete(key),
  }
}
