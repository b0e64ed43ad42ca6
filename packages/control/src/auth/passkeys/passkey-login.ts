import { ApiError, type api } from '@tidegate/contract'
import { setup, users } from '@tidegate/storage'
import { beginLoginAttempt } from '../login/login-throttle.ts'
import type { Deps } from '../../deps.ts'
import type { Origin } from '../../http/actor.ts'
import { addressLimits, rateLimitError } from '../../http/rate-limits.ts'
import { createAuthenticationOptions, verifyPasskey, type PasskeyResponse } from './verify-passkey.ts'
import { readLoginTicket } from '../login/login-ticket.ts'
import { openSession, rejectInactiveUser, type SessionDeps, type LoginContext } from '../sessions/sessions.ts'

type PasskeyLoginDeps = SessionDeps & Pick<Deps, 'limiter'>

/**
 * Every visit of the login page requests a challenge, and offices share an address. Each challenge is a row for five
 * minutes.
 */
const CHALLENGE_LIMIT = { limit: 300, windowSeconds: 600 }

/** Creates the challenge for a login; with a ticket, for the user of that pending login. */
export async function startPasskeyLogin(deps: PasskeyLoginDeps, ticket: string | undefined, { clientIp }: Origin) {
  if (!(await setup.isDone(deps.db))) throw new ApiError('setup_required')
  const taken = await deps.limiter.take(addressLimits('passkey:questions', clientIp, CHALLENGE_LIMIT))
  if (!taken.allowed) throw rateLimitError(taken.retryAfterSeconds)
  if (ticket === undefined) return createAuthenticationOptions(deps, 'login')
  const { user } = await readLoginTicket(deps, ticket)
  return createAuthenticationOptions(deps, 'second', user.id)
}

/** A passkey is possession plus user verification, so no second factor is requested. */
export async function loginWithPasskey(
  deps: PasskeyLoginDeps,
  response: PasskeyResponse,
  context: LoginContext,
): Promise<api.User> {
  const attempt = await beginLoginAttempt(deps.limiter, { clientIp: context.origin.clientIp })
  const checked = await verifyPasskey(deps, response, 'login').catch(async (error: unknown) => {
    if (error instanceof ApiError && error.status < 500) {
      await attempt.recordFailure()
      deps.authFailures.record({ kind: 'login_failed', origin: context.origin })
    }
    throw error
  })
  await attempt.recordSuccess()
  const user = await users.findById(deps.db, checked.userId)
  const signIn = user && { user, details: { method: 'passkey' as const }, consume: checked.recordUse }
  const opened = signIn && (await openSession(deps, signIn, context))
  if (opened) return opened
  await rejectInactiveUser(deps, checked.userId)
  throw new ApiError('passkey_refused')
}
