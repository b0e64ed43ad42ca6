import { ApiError, type api } from '@tidegate/contract'
import { totp, type UserRow } from '@tidegate/storage'
import { issueLoginTicket } from './login-ticket.ts'
import {
  openSession,
  refuseStanding,
  type SessionDeps,
  type SignInMethod,
  type Visit,
} from '../sessions/open-session.ts'
import { secondFactorsOf } from '../two-factor/factors.ts'

/** Ends a sign-in whose first factor was right: with a session, or by asking for the second factor. */
export async function finishSignIn(
  deps: SessionDeps,
  user: UserRow,
  { method, ...visit }: Visit & { method: SignInMethod },
): Promise<api.User> {
  const passwordHash = method === 'password' ? user.password_hash : undefined
  if (await totp.isOn(deps.db, user.id)) {
    const ticket = await issueLoginTicket(deps, user.id, { method, passwordHash })
    const data: api.SecondFactorNeeded = { ticket, methods: await secondFactorsOf(deps, user.id) }
    throw new ApiError('second_factor_required', {}, { data })
  }
  const opened = await openSession(deps, { user, passwordHash, details: { method } }, visit)
  if (opened) return opened
  if (method !== 'password') await refuseStanding(deps, user.id)
  throw new ApiError('login_failed') // as for any other wrong combination
}
