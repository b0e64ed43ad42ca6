import { api, Refusal } from '@tidegate/contract'
import { setup, users, type Limiter, type UserRow } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Origin } from '../http/actor.ts'
import { passwordMatches } from './passwords.ts'

type LoginDeps = Pick<Deps, 'db' | 'limiter' | 'catalog'>

/** Checks a name (or email) and a password. One refusal for every wrong combination: it never tells which part was wrong. */
export async function checkLogin(
  { db, limiter, catalog }: LoginDeps,
  credentials: { username: string; password: string },
  { clientIp }: Origin,
): Promise<UserRow> {
  if (!(await setup.isDone(db))) throw new Refusal('setup_required')
  if (!catalog().settings.PasswordLoginEnabled) throw new Refusal('password_login_off')
  const username = credentials.username.trim()
  if (username === '' || credentials.password === '') throw new Refusal('invalid_params')

  const throttle = loginThrottle(limiter, username, clientIp)
  await throttle.check()
  const user = await users.findForLogin(db, username)
  const matches = await passwordMatches(user?.password_hash, credentials.password)
  if (!user || !matches || user.status !== api.USER_STATUS.active) {
    await throttle.failed()
    throw new Refusal('login_failed')
  }
  await throttle.succeeded()
  return user
}

/**
 * Failures delay the next try, longer each time, for the account and for the address. Successes cost nothing, so an
 * office behind one address is not locked out by its own people logging in.
 */
function loginThrottle(limiter: Limiter, username: string, clientIp: string) {
  const account = `login:account:${username.toLowerCase()}`
  const address = `login:address:${clientIp}`
  return {
    async check() {
      const waits = await Promise.all([limiter.delayAfterFailures(account), limiter.delayAfterFailures(address)])
      const seconds = Math.ceil(Math.max(...waits))
      if (seconds > 0) throw new Refusal('login_delayed', { seconds }, { retryAfterSeconds: seconds })
    },
    async failed() {
      await Promise.all([limiter.recordFailure(account), limiter.recordFailure(address)])
    },
    async succeeded() {
      await limiter.clearFailures(account)
    },
  }
}
