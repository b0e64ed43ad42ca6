import type { Log } from '../log.ts'
import type { RedisHandle } from './connect-redis.ts'
import type { Limiter } from './limiter.ts'
import { limiterWithFallback } from './limiter-with-fallback.ts'
import { memoryLimiter } from './memory-limiter.ts'
import { redisLimiter } from './redis-limiter.ts'

/** The limiter a server uses: shared through Redis when there is one, else this process's own. */
export function createLimiter(redis?: RedisHandle, log?: Log): Limiter {
  const local = memoryLimiter()
  if (!redis) return local
  return limiterWithFallback(redisLimiter(redis), local, { log, isReady: redis.isReady })
}
