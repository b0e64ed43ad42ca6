import type { Log } from '../log.ts'
import type { CallLimiter, Limiter } from './limiter.ts'

type AnyLimiter = Limiter & CallLimiter

export interface FallbackOptions {
  log?: Log
  isReady?: () => boolean
  /** After a failure Redis is left alone this long, so that a hanging one slows down one request and not all. */
  restMs?: number
  /** Milliseconds of a clock that only goes forward. */
  now?: () => number
}

/** Uses `shared` while it works and `local` while it does not: limits get looser for a while, calls go on. */
export function limiterWithFallback(shared: AnyLimiter, local: AnyLimiter, options: FallbackOptions = {}): AnyLimiter {
  const { log, isReady = () => true, restMs = 1_000, now = () => performance.now() } = options
  let away = false
  let restUntil = 0

  function noticeLoss(error: unknown): void {
    restUntil = now() + restMs
    if (!away) log?.warn({ err: error }, 'limits are kept in this process until Redis is back')
    away = true
  }

  function noticeReturn(): void {
    if (away) log?.info({}, 'limits are shared through Redis again')
    away = false
  }

  async function attempt<Result>(use: (limiter: AnyLimiter) => Promise<Result>): Promise<Result> {
    if (now() < restUntil) return use(local)
    try {
      if (!isReady()) throw new Error('not connected to Redis')
      const result = await use(shared)
      noticeReturn()
      return result
    } catch (error) {
      noticeLoss(error)
      return use(local)
    }
  }

  return {
    // The places of this process are always known here too: when Redis goes, its running calls still count.
    async enter(entry) {
      const entered = await attempt((limiter) => limiter.enter(entry))
      if (entered.allowed && entry.place) await local.renew([entry.place])
      return entered
    },
    async leave(departure) {
      if (departure.place) await local.leave({ budgets: [], place: departure.place })
      return attempt((limiter) => limiter.leave(departure))
    },
    async renew(places) {
      await local.renew(places)
      await attempt((limiter) => limiter.renew(places))
    },
    take: (checks) => attempt((limiter) => limiter.take(checks)),
    giveBack: (checks) => attempt((limiter) => limiter.giveBack(checks)),
    delayAfterFailures: (key) => attempt((limiter) => limiter.delayAfterFailures(key)),
    recordFailure: (key) => attempt((limiter) => limiter.recordFailure(key)),
    takeTry: (key) => attempt((limiter) => limiter.takeTry(key)),
    clearFailures: (key) => attempt((limiter) => limiter.clearFailures(key)),
  }
}
