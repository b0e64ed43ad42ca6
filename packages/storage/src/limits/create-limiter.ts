import type { Log } from '../log.ts'
import type { CallLimiter } from './call-limiter.ts'
import type { RedisHandle } from './connect-redis.ts'
import { keepPlaces } from './renew-places.ts'
import type { Limiter } from './limiter.ts'
import { limiterWithFallback } from './limiter-with-fallback.ts'
import { memoryLimiter } from './memory-limiter.ts'
import { redisLimiter } from './redis-limiter.ts'

/** The limiter a server uses: shared through Redis when there is one, else this process's own. */
export function createLimiter(redis?: RedisHandle, log?: Log): Limiter & CallLimiter {
  const local = memoryLimiter()
  if (!redis) return keepPlaces(local)
  return keepPlaces(limiterWithFallback(redisLimiter(redis), local, { log, isReady: redis.isReady }))
}
