import { logEvent, type Log } from '@tidegate/contract'
import type { RequestLimiter, Limiter } from './limiter.ts'

type AnyLimiter = Limiter & RequestLimiter

export interface FallbackOptions {
  log?: Log
  isReady?: () => boolean
  /** How long Redis is not used after a failure, so that a hanging Redis delays one request and not all. */
  cooldownMs?: number
  /** A monotonic clock, in milliseconds. */
  now?: () => number
}

/** Uses `shared` while it works and `local` otherwise. During an outage limits are looser, but requests continue. */
export function limiterWithFallback(shared: AnyLimiter, local: AnyLimiter, options: FallbackOptions = {}): AnyLimiter {
  const { log, isReady = () => true, cooldownMs = 1_000, now = () => performance.now() } = options
  let isUnavailable = false
  let retryAt = 0

  function markUnavailable(error: unknown): void {
    retryAt = now() + cooldownMs
    if (!isUnavailable) logEvent(log, 'ratelimit.local', { err: error })
    isUnavailable = true
  }

  function markAvailable(): void {
    if (isUnavailable) logEvent(log, 'ratelimit.shared')
    isUnavailable = false
  }

  async function withFallback<Result>(use: (limiter: AnyLimiter) => Promise<Result>): Promise<Result> {
    if (now() < retryAt) return use(local)
    try {
      if (!isReady()) throw new Error('not connected to Redis')
      const result = await use(shared)
      markAvailable()
      return result
    } catch (error) {
      markUnavailable(error)
      return use(local)
    }
  }

  return {
    // The leases of this process are always counted locally too, so that running requests still count when Redis fails.
    async acquire(request) {
      const result = await withFallback((limiter) => limiter.acquire(request))
      if (result.allowed && request.lease) await local.renew([request.lease])
      return result
    },
    async release(request) {
      if (request.lease) await local.release({ budgets: [], lease: request.lease })
      return withFallback((limiter) => limiter.release(request))
    },
    async renew(leases) {
      await local.renew(leases)
      await withFallback((limiter) => limiter.renew(leases))
    },
    take: (checks) => withFallback((limiter) => limiter.take(checks)),
    refund: (checks) => withFallback((limiter) => limiter.refund(checks)),
    delayAfterFailures: (key) => withFallback((limiter) => limiter.delayAfterFailures(key)),
    recordFailure: (key) => withFallback((limiter) => limiter.recordFailure(key)),
    takeAttempt: (key) => withFallback((limiter) => limiter.takeAttempt(key)),
    clearFailures: (key) => withFallback((limiter) => limiter.clearFailures(key)),
  }
}
