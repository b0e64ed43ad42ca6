import { api, ApiError } from '@tidegate/contract'
import { setup, totp, type UserRow, users } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { Origin } from '../../http/actor.ts'
import { passwordMatches, upgradeHash } from '../password/passwords.ts'
import {
  openSession,
  rejectInactiveUser,
  type SessionDeps,
  type LoginMethod,
  type LoginContext,
} from '../sessions/sessions.ts'
import { secondFactorsOf } from '../two-factor/factors.ts'
import { type KnownDevice, knownDevices } from './known-devices.ts'
import { beginLoginAttempt } from './login-throttle.ts'
import { issueLoginTicket } from './login-ticket.ts'

type LoginDeps = Pick<Deps, 'db' | 'limiter' | 'catalog' | 'vault' | 'now' | 'authFailures'>

/**
 * Checks a username (or email) and a password. All wrong combinations return the same error, so the caller does not
 * learn which part was wrong.
 */
export async function checkCredentials(
  deps: LoginDeps,
  credentials: { username: string; password: string },
  origin: Origin,
): Promise<UserRow> {
  const { db, limiter, catalog, authFailures } = deps
  if (!(await setup.isDone(db))) throw new ApiError('setup_required')
  if (!catalog().settings.PasswordLoginEnabled) throw new ApiError('password_login_off')
  const username = credentials.username.trim()
  if (username === '' || credentials.password === '') throw new ApiError('invalid_params')

  const device = await findKnownDevice(deps, username, origin)
  const attempt = await beginLoginAttempt(limiter, { username, clientIp: origin.clientIp, device }).catch(
    async (error) => {
      const userId = (await users.findForLogin(db, username))?.id
      if (error instanceof ApiError) authFailures.record({ kind: 'login_failed', userId, origin })
      throw error
    },
  )
  const user = await users.findForLogin(db, username)
  const matches = await passwordMatches(user?.password_hash, credentials.password)
  if (!user || !matches || user.status !== api.USER_STATUS.active) {
    await attempt.recordFailure()
    authFailures.record({ kind: 'login_failed', userId: user?.id, origin })
    throw new ApiError('login_failed')
  }
  await ((await totp.isEnabled(db, user.id)) ? attempt.recordFirstFactor() : attempt.recordSuccess())
  return upgradeHash(db, user, credentials.password)
}

/** Whether this browser logged in to the account before. Browsers without a signed cookie cause no query. */
async function findKnownDevice(deps: LoginDeps, username: string, origin: Origin): Promise<KnownDevice | undefined> {
  const devices = knownDevices(deps, origin)
  if (devices.length === 0) return undefined
  const user = await users.findForLogin(deps.db, username)
  return devices.find(({ userId }) => userId === user?.id)
}

/** Completes a login after the first factor: opens a session, or requests the second factor. */
export async function completeLogin(
  deps: SessionDeps,
  user: UserRow,
  { method, ...context }: LoginContext & { method: LoginMethod },
): Promise<api.User> {
  const passwordHash = method === 'password' ? user.password_hash : undefined
  if (await totp.isEnabled(deps.db, user.id)) {
    const ticket = await issueLoginTicket(deps, user.id, { method, passwordHash })
    const data: api.SecondFactorNeeded = { ticket, methods: await secondFactorsOf(deps, user.id) }
    throw new ApiError('second_factor_required', {}, { data })
  }
  const opened = await openSession(deps, { user, passwordHash, details: { method } }, context)
  if (opened) return opened
  if (method !== 'password') await rejectInactiveUser(deps, user.id)
  throw new ApiError('login_failed') // same error as for wrong credentials
}
