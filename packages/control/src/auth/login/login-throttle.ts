import { ApiError } from '@tidegate/contract'
import type { Limiter } from '@tidegate/storage'
import { addressLimits, limitedNetwork } from '../../http/rate-limits.ts'
import type { KnownDevice } from './known-devices.ts'

/** Pending or failed attempts per address; one is restored every ten seconds. */
const ADDRESS_ATTEMPTS = { limit: 60, windowSeconds: 600 }

interface LoginAttempt {
  recordFailure(): Promise<void>
  recordSuccess(): Promise<void>
  /**
   * The first factor is correct and the second is pending. Failures of the account count until it is correct too.
   */
  recordFirstFactor(): Promise<void>
}

interface LoginAttemptInput {
  /** Undefined when the login itself identifies the user, so no account can be guessed. */
  username?: string
  clientIp: string
  /** This browser logged in to the account before. */
  device?: KnownDevice | undefined
}

/**
 * Takes an attempt before the password is checked, so that parallel guesses cannot all pass before the first one fails.
 * Each failure delays the next attempt longer, per account and per address. Successful logins cost nothing, so users
 * behind one address do not lock each other out.
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
  const wait = account === undefined ? 0 : await limiter.takeAttempt(account)
  if (wait > 0) {
    await limiter.refund(attempts)
    rejectIfDelayed(wait)
  }
  return {
    async recordFailure() {
      await limiter.recordFailure(address) // the account failure was counted when the attempt began
    },
    async recordSuccess() {
      if (account !== undefined) await limiter.clearFailures(account)
      await limiter.refund(attempts)
    },
    async recordFirstFactor() {
      await limiter.refund(attempts)
    },
  }
}

/** A known browser has its own delay, independent of other browsers. */
async function beginDeviceAttempt(limiter: Limiter, { nonce }: KnownDevice): Promise<LoginAttempt> {
  const key = `account:device:${nonce}` as const
  rejectIfDelayed(await limiter.takeAttempt(key))
  return {
    async recordFailure() {}, // counted when the attempt began
    recordSuccess: () => limiter.clearFailures(key),
    async recordFirstFactor() {},
  }
}

/** For users who proved their identity by other means. */
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

/** Takes an attempt of a logged-in user who must show a secret again. Failures delay the next attempt. */
export async function beginReauthAttempt(
  limiter: Limiter,
  secret: 'original-password' | 'second-factor',
  userId: number,
): Promise<{ recordSuccess(): Promise<void> }> {
  const key = `account:${secret}:${userId}` as const
  const seconds = Math.ceil(await limiter.takeAttempt(key))
  if (seconds > 0) throw new ApiError('login_delayed', { seconds }, { retryAfterSeconds: seconds })
  return { recordSuccess: () => limiter.clearFailures(key) }
}
