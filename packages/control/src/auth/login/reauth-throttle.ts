import { ApiError } from '@tidegate/contract'
import type { Limiter } from '@tidegate/storage'

/** Takes a try of somebody who is logged in and has to show a secret again. Failures make the next one wait. */
export async function takeOwnTry(
  limiter: Limiter,
  secret: 'original-password' | 'second-factor',
  userId: number,
): Promise<{ succeeded(): Promise<void> }> {
  const key = `account:${secret}:${userId}` as const
  const seconds = Math.ceil(await limiter.takeTry(key))
  if (seconds > 0) throw new ApiError('login_delayed', { seconds }, { retryAfterSeconds: seconds })
  return { succeeded: () => limiter.clearFailures(key) }
}
