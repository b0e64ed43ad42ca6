import { ApiError } from '@tidegate/contract'
import type { Limiter } from '@tidegate/storage'
import { addressLimits, limitedNetwork } from '../../http/rate-limits.ts'
import type { KnownDevice } from './known-devices.ts'

/** Tries of one address that may be under way or have failed of late; they come back one every ten seconds. */
const ADDRESS_ATTEMPTS = { limit: 60, windowSeconds: 600 }

interface LoginAttempt {
  failed(): Promise<void>
  succeeded(): Promise<void>
  /** Right so far, with a second factor to come: until that is right too, nothing is forgotten of the account's failures. */
  firstFactorPassed(): Promise<void>
}

interface LoginAttemptInput {
  /** Undefined where the login itself tells who it is, so that there is no account to guess at. */
  username?: string
  clientIp: string
  /** The browser has logged in to this account before. */
  device?: KnownDevice | undefined
}

/**
 * Takes a try before the password is looked at, so that guesses sent side by side cannot all pass before the first of
 * them has failed. Failures delay the next try, longer each time, for the account and for the address. Successes cost
 * nothing, so an office behind one address is not locked out by its own people logging in.
 */
export async function beginLoginAttempt(
  limiter: Limiter,
  { username, clientIp, device }: LoginAttemptInput,
): Promise<LoginAttempt> {
  if (device) return beginDeviceAttempt(limiter, device)
  const account = username === undefined ? undefined : accountKey(username)
  const address = `address:login:${limitedNetwork(clientIp)}` as const
  const attempts = addressLimits('login:tries', clientIp, ADDRESS_ATTEMPTS)

  rejectIfDelayed(await limiter.delayAfterFailures(address))
  const taken = await limiter.take(attempts)
  if (!taken.allowed) rejectIfDelayed(taken.retryAfterSeconds)
  const wait = account === undefined ? 0 : await limiter.takeTry(account)
  if (wait > 0) {
    await limiter.giveBack(attempts)
    rejectIfDelayed(wait)
  }
  return {
    async failed() {
      await limiter.recordFailure(address) // the account's was counted when the try was taken
    },
    async succeeded() {
      if (account !== undefined) await limiter.clearFailures(account)
      await limiter.giveBack(attempts)
    },
    async firstFactorPassed() {
      await limiter.giveBack(attempts)
    },
  }
}

/** A browser that has logged in before has its own delay, which other browsers neither cause nor share. */
async function beginDeviceAttempt(limiter: Limiter, { nonce }: KnownDevice): Promise<LoginAttempt> {
  const key = `account:device:${nonce}` as const
  rejectIfDelayed(await limiter.takeTry(key))
  return {
    async failed() {}, // counted when the try was taken
    succeeded: () => limiter.clearFailures(key),
    async firstFactorPassed() {},
  }
}

/** For names under which somebody has proved to be the owner by other means. */
export async function clearLoginFailures(limiter: Limiter, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => limiter.clearFailures(accountKey(name))))
}

function accountKey(name: string) {
  return `account:login:${name.toLowerCase()}` as const
}

function rejectIfDelayed(wait: number): void {
  const seconds = Math.ceil(wait)
  if (seconds > 0) throw new ApiError('login_delayed', { seconds }, { retryAfterSeconds: seconds })
}

/** Takes a try of somebody who is logged in and has to show a secret again. Failures make the next one wait. */
export async function beginReauthAttempt(
  limiter: Limiter,
  secret: 'original-password' | 'second-factor',
  userId: number,
): Promise<{ succeeded(): Promise<void> }> {
  const key = `account:${secret}:${userId}` as const
  const seconds = Math.ceil(await limiter.takeTry(key))
  if (seconds > 0) throw new ApiError('login_delayed', { seconds }, { retryAfterSeconds: seconds })
  return { succeeded: () => limiter.clearFailures(key) }
}
