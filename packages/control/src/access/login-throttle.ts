import { Refusal } from '@tidegate/contract'
import type { Limiter } from '@tidegate/storage'

/** Tries of one address that may be under way or have failed of late; they come back one every ten seconds. */
const ADDRESS_TRIES = { limit: 60, windowSeconds: 600 }

export interface LoginTry {
  failed(): Promise<void>
  succeeded(): Promise<void>
  /** Right so far, with a second factor to come: until that is right too, nothing is forgotten of the account's failures. */
  halfDone(): Promise<void>
}

/**
 * Takes a try before the password is looked at, so that guesses sent side by side cannot all pass before the first of
 * them has failed. Failures delay the next try, longer each time, for the account and for the address. Successes cost
 * nothing, so an office behind one address is not locked out by its own people logging in.
 */
export async function takeLoginTry(
  limiter: Limiter,
  /** Undefined where the login itself tells who it is, so that there is no account to guess at. */
  username: string | undefined,
  clientIp: string,
): Promise<LoginTry> {
  const account = username === undefined ? undefined : accountKey(username)
  const address = `login:address:${clientIp}`
  const tries = [{ key: `login:tries:${clientIp}`, ...ADDRESS_TRIES }]

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

/** For names under which somebody has proved to be the owner by other means. */
export async function forgetLoginFailures(limiter: Limiter, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => limiter.clearFailures(accountKey(name))))
}

function accountKey(name: string): string {
  return `login:account:${name.toLowerCase()}`
}

function refuseFor(wait: number): void {
  const seconds = Math.ceil(wait)
  if (seconds > 0) throw new Refusal('login_delayed', { seconds }, { retryAfterSeconds: seconds })
}
