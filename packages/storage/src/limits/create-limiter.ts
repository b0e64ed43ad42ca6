import type { Log } from '../log.ts'
import type { RedisHandle } from './connect-redis.ts'
import { limiterWithFallback } from './limiter-with-fallback.ts'
import { type CallLimiter, type Limiter, type Place, LEASE_SECONDS } from './limiter.ts'
import { memoryLimiter } from './memory-limiter.ts'
import { redisLimiter } from './redis-limiter.ts'

/** The limiter a server uses: shared through Redis when there is one, else this process's own. */
export function createLimiter(redis?: RedisHandle, log?: Log): Limiter & CallLimiter {
  const memory = memoryLimiter()
  if (!redis) return withLeaseRenewal(memory)
  return withLeaseRenewal(limiterWithFallback(redisLimiter(redis), memory, { log, isReady: redis.isReady }))
}

/** Three chances before a place is lost. */
const RENEW_MS = (LEASE_SECONDS * 1_000) / 3

/** Renews the places of this process while their calls run, all in one go. What a dead process held runs out. */
export function withLeaseRenewal<Kind extends CallLimiter>(limiter: Kind, renewMs = RENEW_MS): Kind {
  const held = new Map<string, Place>()
  let timer: NodeJS.Timeout | undefined

  function renew(): void {
    limiter.renew([...held.values()]).catch(() => {}) // the next time is soon enough
  }

  function hold(place: Place): void {
    held.set(place.holder, place)
    timer ??= setInterval(renew, renewMs).unref()
  }

  function drop({ holder }: Place): void {
    held.delete(holder)
    if (held.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    ...limiter,
    async enter(entry) {
      const entered = await limiter.enter(entry)
      if (entered.allowed && entry.place) hold(entry.place)
      return entered
    },
    leave(departure) {
      if (departure.place) drop(departure.place) // first, or a renewal could follow and bring it back
      return limiter.leave(departure)
    },
  } satisfies CallLimiter & Kind
}
