import { api, Refusal } from '@tidegate/contract'
import { setup, totp, users, type UserRow } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Origin } from '../http/actor.ts'
import { takeLoginTry } from './login-throttle.ts'
import { passwordMatches } from './passwords.ts'
import { renewHash } from './renew-hash.ts'

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

  const attempt = await takeLoginTry(limiter, username, clientIp)
  const user = await users.findForLogin(db, username)
  const matches = await passwordMatches(user?.password_hash, credentials.password)
  if (!user || !matches || user.status !== api.USER_STATUS.active) {
    await attempt.failed()
    throw new Refusal('login_failed')
  }
  await ((await totp.isOn(db, user.id)) ? attempt.halfDone() : attempt.succeeded())
  return renewHash(db, user, credentials.password)
}
