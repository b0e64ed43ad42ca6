import { ApiError, type api } from '@tidegate/contract'
import { setup, users } from '@tidegate/storage'
import { takeLoginTry } from '../login/login-throttle.ts'
import type { Deps } from '../../deps.ts'
import type { Origin } from '../../http/actor.ts'
import { addressLimits, tooMany } from '../../http/rate-limits.ts'
import { askForPasskey, checkPasskey, type PasskeyAnswer } from './verify-passkey.ts'
import { readLoginTicket } from '../login/login-ticket.ts'
import { openSession, refuseStanding, type SessionDeps, type Visit } from '../sessions/sessions.ts'

type PasskeyLoginDeps = SessionDeps & Pick<Deps, 'limiter'>

/** Every visit of the login page asks, and offices share an address. Each question is a row for five minutes. */
const QUESTIONS = { limit: 300, windowSeconds: 600 }

/** The question to whoever wants to log in; with a ticket, to the user of that half-done login. */
export async function askForLogin(deps: PasskeyLoginDeps, ticket: string | undefined, { clientIp }: Origin) {
  if (!(await setup.isDone(deps.db))) throw new ApiError('setup_required')
  const verdict = await deps.limiter.take(addressLimits('passkey:questions', clientIp, QUESTIONS))
  if (!verdict.allowed) throw tooMany(verdict.retryAfterSeconds)
  if (ticket === undefined) return askForPasskey(deps, 'login')
  const { user } = await readLoginTicket(deps, ticket)
  return askForPasskey(deps, 'second', user.id)
}

/** A passkey is something owned, unlocked by its owner: no second factor is asked for, whatever the account has. */
export async function loginWithPasskey(deps: PasskeyLoginDeps, answer: PasskeyAnswer, visit: Visit): Promise<api.User> {
  const attempt = await takeLoginTry(deps.limiter, { clientIp: visit.origin.clientIp })
  const checked = await checkPasskey(deps, answer, 'login').catch(async (error: unknown) => {
    if (error instanceof ApiError && error.status < 500) {
      await attempt.failed()
      deps.authFailures.record({ kind: 'login_failed', origin: visit.origin })
    }
    throw error
  })
  await attempt.succeeded()
  const user = await users.findById(deps.db, checked.userId)
  const signIn = user && { user, details: { method: 'passkey' as const }, useUp: checked.noteUse }
  const opened = signIn && (await openSession(deps, signIn, visit))
  if (opened) return opened
  await refuseStanding(deps, checked.userId)
  throw new ApiError('passkey_refused')
}
