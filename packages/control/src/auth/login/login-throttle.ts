import { ApiError } from '@tidegate/contract'
import type { Limiter } from '@tidegate/storage'
import { addressLimits, limitedNetwork } from '../../http/rate-limits.ts'
import type { KnownDevice } from './known-devices.ts'

/** Tries of one address that may be under way or have failed of late; they come back one every ten seconds. */
const ADDRESS_TRIES = { limit: 60, windowSeconds: 600 }

interface LoginTry {
  failed(): Promise<void>
  succeeded(): Promise<void>
  /** Right so far, with a second factor to come: until that is right too, nothing is forgotten of the account's failures. */
  halfDone(): Promise<void>
}

interface Guess {
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
export async function takeLoginTry(limiter: Limiter, { username, clientIp, device }: Guess): Promise<LoginTry> {
  if (device) return takeDeviceTry(limiter, device)
  const account = username === undefined ? undefined : accountKey(username)
  const address = `address:login:${limitedNetwork(clientIp)}` as const
  const tries = addressLimits('login:tries', clientIp, ADDRESS_TRIES)

  refuseFor(await limiter.delayAfterFailures(address))
  const verdict = await limiter.take(tries)
  if (!verdict.allowed) refuseFor(verdict.retryAfterSeconds)
  const wait = account === undefined ? 0 : await limiter.takeTry(account)
  if (wait > 0) {
    await limiter.giveBack(tries)
    refuseFor(wait)
  }
  return {
    async failed() {
      await limiter.recordFailure(address) // the account's was counted when the try was taken
    },
    async succeeded() {
      if (account !== undefined) await limiter.clearFailures(account)
      await limiter.giveBack(tries)
    },
    async halfDone() {
      await limiter.giveBack(tries)
    },
  }
}

/** A browser that has logged in before has its own delay, which other browsers neither cause nor share. */
async function takeDeviceTry(limiter: Limiter, { nonce }: KnownDevice): Promise<LoginTry> {
  const key = `account:device:${nonce}` as const
  refuseFor(await limiter.takeTry(key))
  return {
    async failed() {}, // counted when the try was taken
    succeeded: () => limiter.clearFailures(key),
    async halfDone() {},
  }
}

/** For names under which somebody has proved to be the owner by other means. */
export async function forgetLoginFailures(limiter: Limiter, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => limiter.clearFailures(accountKey(name))))
}

function accountKey(name: string) {
  return `account:login:${name.toLowerCase()}` as const
}

function refuseFor(wait: number): void {
  const seconds = Math.ceil(wait)
  if (seconds > 0) throw new ApiError('login_delayed', { seconds }, { retryAfterSeconds: seconds })
}

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
