import type { Log } from '../log.ts'
import type { RedisHandle } from './connect-redis.ts'
import { limiterWithFallback } from './limiter-with-fallback.ts'
import { type CallLimiter, type Limiter, type Place, PLACE_SECONDS } from './limiter.ts'
import { memoryLimiter } from './memory-limiter.ts'
import { redisLimiter } from './redis-limiter.ts'

/** The limiter a server uses: shared through Redis when there is one, else this process's own. */
export function createLimiter(redis?: RedisHandle, log?: Log): Limiter & CallLimiter {
  const local = memoryLimiter()
  if (!redis) return keepPlaces(local)
  return keepPlaces(limiterWithFallback(redisLimiter(redis), local, { log, isReady: redis.isReady }))
}

/** Three chances before a place is lost. */
const RENEW_MS = (PLACE_SECONDS * 1_000) / 3

/** Renews the places of this process while their calls run, all in one go. What a dead process held runs out. */
export function keepPlaces<Kind extends CallLimiter>(limiter: Kind, renewMs = RENEW_MS): Kind {
  const held = new Map<string, Place>()
  let timer: NodeJS.Timeout | undefined

  function renew(): void {
    limiter.renew([...held.values()]).catch(() => {}) // the next time is soon enough
  }

  function keep(place: Place): void {
    held.set(place.holder, place)
    timer ??= setInterval(renew, renewMs).unref()
  }

  function letGo({ holder }: Place): void {
    held.delete(holder)
    if (held.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    ...limiter,
    async enter(entry) {
      const entered = await limiter.enter(entry)
      if (entered.allowed && entry.place) keep(entry.place)
      return entered
    },
    leave(departure) {
      if (departure.place) letGo(departure.place) // first, or a renewal could follow and bring it back
      return limiter.leave(departure)
    },
  } satisfies CallLimiter & Kind
}
