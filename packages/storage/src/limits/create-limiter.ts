import type { Log } from '@tidegate/contract'
import type { RedisHandle } from './connect-redis.ts'
import { limiterWithFallback } from './limiter-with-fallback.ts'
import { type RequestLimiter, type Limiter, type ConcurrencyLease, LEASE_SECONDS } from './limiter.ts'
import { memoryLimiter } from './memory-limiter.ts'
import { redisLimiter } from './redis-limiter.ts'

/** The limiter of a server: shared through Redis if available, otherwise local to this process. */
export function createLimiter(redis?: RedisHandle, log?: Log): Limiter & RequestLimiter {
  const memory = memoryLimiter()
  if (!redis) return withLeaseRenewal(memory)
  return withLeaseRenewal(limiterWithFallback(redisLimiter(redis), memory, { log, isReady: redis.isReady }))
}

/** Three attempts before a lease expires. */
const RENEW_MS = (LEASE_SECONDS * 1_000) / 3

/**
 * Renews the concurrency leases of this process in one batch while their requests run. Leases of a dead process expire.
 */
export function withLeaseRenewal<Kind extends RequestLimiter>(limiter: Kind, renewMs = RENEW_MS): Kind {
  const held = new Map<string, ConcurrencyLease>()
  let timer: NodeJS.Timeout | undefined

  function renew(): void {
    limiter.renew([...held.values()]).catch(() => {}) // the next renewal comes soon enough
  }

  function hold(lease: ConcurrencyLease): void {
    held.set(lease.holder, lease)
    timer ??= setInterval(renew, renewMs).unref()
  }

  function drop({ holder }: ConcurrencyLease): void {
    held.delete(holder)
    if (held.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    ...limiter,
    async acquire(request) {
      const result = await limiter.acquire(request)
      if (result.allowed && request.lease) hold(request.lease)
      return result
    },
    release(request) {
      if (request.lease) drop(request.lease) // first, because a concurrent renewal could restore the lease
      return limiter.release(request)
    },
  } satisfies RequestLimiter & Kind
}
