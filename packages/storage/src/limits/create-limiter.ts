import type { Log } from '@tidegate/contract'
import type { BudgetSource } from './budget-source.ts'
import type { RedisHandle } from './connect-redis.ts'
import { limiterWithFallback } from './limiter-with-fallback.ts'
import {
  type AcquireResult,
  type RequestLimiter,
  type Limiter,
  type ConcurrencyLease,
  LEASE_SECONDS,
} from './limiter.ts'
import { memoryLimiter } from './memory-limiter.ts'
import { redisLimiter } from './redis-limiter.ts'
import { slicedLimiter, type SlicedLimiter } from './sliced-limiter.ts'

export interface ProcessLimiter extends Limiter, RequestLimiter {
  /** Returns unused shares to the other processes. */
  close(): Promise<void>
}

export interface LimiterOptions {
  readonly redis?: RedisHandle | undefined
  /** Shared by the processes of a machine. Used without Redis. */
  readonly source?: SharedLimits | undefined
  readonly log?: Log | undefined
}

/** What processes share: budgets that are leased in slices, and everything that is asked for each time. */
export type SharedLimits = Limiter & BudgetSource

/** The limiter of a process: shared through Redis or another source, otherwise local to this process. */
export function createLimiter({ redis, source, log }: LimiterOptions = {}): ProcessLimiter {
  const memory = memoryLimiter()
  const limits = redis ? redisLimiter(redis) : source
  if (!limits) return { ...withLeaseRenewal(memory), close: () => Promise.resolve() }
  const shared = { ...limits, ...slicedLimiter(limits) }
  return withMaintenance(withLeaseRenewal(limiterWithFallback(shared, memory, { log, isReady: redis?.isReady })))
}

const MAINTAIN_MS = 1_000

/** Maintains a limiter from its first request until it is closed. Processes that serve no requests do not register. */
function withMaintenance<Kind extends SlicedLimiter>(limiter: Kind): Kind {
  let timer: NodeJS.Timeout | undefined

  function start(): NodeJS.Timeout {
    void limiter.maintain()
    return setInterval(() => void limiter.maintain(), MAINTAIN_MS).unref()
  }

  return {
    ...limiter,
    acquire(request) {
      timer ??= start()
      return limiter.acquire(request)
    },
    close() {
      clearInterval(timer)
      return limiter.close()
    },
  }
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

  function holdIfAllowed(result: AcquireResult, lease: ConcurrencyLease): AcquireResult {
    if (result.allowed) hold(lease)
    return result
  }

  return {
    ...limiter,
    acquire(request) {
      const { lease } = request
      const result = limiter.acquire(request)
      if (!lease) return result
      return result instanceof Promise
        ? result.then((known) => holdIfAllowed(known, lease))
        : holdIfAllowed(result, lease)
    },
    release(request) {
      if (request.lease) drop(request.lease) // first, because a concurrent renewal could restore the lease
      return limiter.release(request)
    },
  } satisfies RequestLimiter & Kind
}
