import { ApiError, type api, type Language } from '@tidegate/contract'
import { recoveryCodes, type Db } from '@tidegate/storage'
import { knownDevices } from './known-devices.ts'
import { clearLoginFailures, beginLoginAttempt } from './login-throttle.ts'
import type { Deps } from '../../deps.ts'
import { checkAnyCode } from '../two-factor/factors.ts'
import { verifyPasskey, type PasskeyResponse } from '../passkeys/verify-passkey.ts'
import { readLoginTicket, type LoginTicket } from './login-ticket.ts'
import { openSession, rejectInactiveUser, type SessionDeps, type LoginContext } from '../sessions/sessions.ts'
import { recoveryCodeUsed, reportSecurityEvent } from '../security-events.ts'

interface SecondFactorInput {
  login_ticket: string
  code?: string | undefined
  passkey?: PasskeyResponse | undefined
}

type FinishDeps = SessionDeps & Pick<Deps, 'limiter'>

/** Completes a login with a second factor. A wrong factor counts against the ticket and as a failed login. */
export async function completeSecondFactor(
  deps: FinishDeps,
  step: SecondFactorInput,
  context: LoginContext,
  language: Language,
): Promise<api.User> {
  if ((step.code === undefined) === (step.passkey === undefined)) throw new ApiError('invalid_params')
  const ticket = await readLoginTicket(deps, step.login_ticket)
  const { user } = ticket
  const device = knownDevices(deps, context.origin).find(({ userId }) => userId === user.id)
  const attempt = await beginLoginAttempt(deps.limiter, {
    username: user.username,
    clientIp: context.origin.clientIp,
    device,
  })
  await ticket.countAttempt()
  const opened = await openWithFactor(deps, ticket, step, { ...context, language }).catch(async (error: unknown) => {
    const isWrong = error instanceof ApiError && error.status < 500 && error.code !== 'admin_address_not_allowed'
    if (isWrong) {
      await attempt.recordFailure()
      deps.authFailures.record({ kind: 'second_factor_failed', userId: user.id, origin: context.origin })
    }
    throw error
  })
  if (!opened) {
    await rejectInactiveUser(deps, user.id)
    throw new ApiError('login_ticket_invalid') // the password changed since the first factor
  }
  await attempt.recordSuccess()
  // Failures from unknown devices keep their delay.
  if (!device) await clearLoginFailures(deps.limiter, [user.username, user.email])
  return opened
}

async function openWithFactor(
  deps: FinishDeps,
  ticket: LoginTicket,
  step: SecondFactorInput,
  { language, ...context }: LoginContext & { language: Language },
): Promise<api.User | undefined> {
  const { user, first } = ticket
  const factor = await checkFactor(deps, user.id, step)
  const details = { method: first.method, second: factor.kind }
  const signIn = {
    user,
    passwordHash: first.passwordHash,
    details,
    async consume(transaction: Db) {
      await ticket.use(transaction)
      await factor.consume(transaction)
      if (factor.kind !== 'recovery_code') return
      const left = await recoveryCodes.countLeft(transaction, user.id)
      await reportSecurityEvent(deps, transaction, user, recoveryCodeUsed(context.origin, left), language)
    },
  }
  return openSession(deps, signIn, context)
}

async function checkFactor(deps: FinishDeps, userId: number, { code, passkey }: SecondFactorInput) {
  if (passkey === undefined) return checkAnyCode(deps, userId, code ?? '')
  const checked = await verifyPasskey(deps, passkey, 'second', userId)
  return { kind: 'passkey' as const, consume: checked.recordUse }
}
