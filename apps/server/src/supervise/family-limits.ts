import { memoryLimiter, type SharedLimits } from '@tidegate/storage'
import type { Link } from './link.ts'

interface LimiterCall {
  readonly method: keyof SharedLimits
  readonly args: readonly unknown[]
}

/** Longer than any pause of the supervisor that is not a failure. */
const REPLY_LIMIT_MS = 1_000

const METHODS = [
  'acquire',
  'release',
  'renew',
  'takeSlices',
  'takeLeases',
  'freeLeases',
  'registerProcess',
  'take',
  'refund',
  'delayAfterFailures',
  'recordFailure',
  'takeAttempt',
  'clearFailures',
] as const satisfies (keyof SharedLimits)[]

/** Without Redis, the supervisor holds the limits of its processes. Otherwise each would allow the whole limit. */
export function familyLimits(request: Link['request']): SharedLimits {
  const call =
    (method: keyof SharedLimits) =>
    (...args: readonly unknown[]) =>
      request<never>('limiter', { method, args } satisfies LimiterCall, REPLY_LIMIT_MS)
  return Object.fromEntries(METHODS.map((method) => [method, call(method)])) as unknown as SharedLimits
}

/** The supervisor's side. */
export function createLimiterHandler(limiter: SharedLimits = memoryLimiter()) {
  return async ({ method, args }: LimiterCall): Promise<unknown> =>
    (limiter[method] as (...args: readonly unknown[]) => unknown)(...args)
}
