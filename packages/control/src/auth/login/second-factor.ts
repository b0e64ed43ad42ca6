import { ApiError, type api, type Language } from '@tidegate/contract'
import { recoveryCodes, type Db } from '@tidegate/storage'
import { knownDevices } from './known-devices.ts'
import { forgetLoginFailures, takeLoginTry } from './login-throttle.ts'
import type { Deps } from '../../deps.ts'
import type { MailQueue } from '../../messaging/mail/mail-queue.ts'
import { checkAnyCode } from '../two-factor/factors.ts'
import { checkPasskey, type PasskeyAnswer } from '../passkeys/verify-passkey.ts'
import { readLoginTicket, type LoginTicket } from './login-ticket.ts'
import { openSession, refuseStanding, type SessionDeps, type Visit } from '../sessions/sessions.ts'
import { mailOwner, recoveryCodeUsed, tellOwner, type SecurityNews } from '../security-events.ts'

interface SecondStep {
  login_ticket: string
  code?: string | undefined
  passkey?: PasskeyAnswer | undefined
}

type FinishDeps = SessionDeps & Pick<Deps, 'limiter'> & { mails: MailQueue }

/** The second half of a login. A wrong factor counts against the ticket, and as a failed login of the account. */
export async function finishLogin(
  deps: FinishDeps,
  step: SecondStep,
  visit: Visit,
  language: Language,
): Promise<api.User> {
  if ((step.code === undefined) === (step.passkey === undefined)) throw new ApiError('invalid_params')
  const ticket = await readLoginTicket(deps, step.login_ticket)
  const { user } = ticket
  const device = knownDevices(deps, visit.origin).find(({ userId }) => userId === user.id)
  const attempt = await takeLoginTry(deps.limiter, {
    username: user.username,
    clientIp: visit.origin.clientIp,
    device,
  })
  await ticket.spendTry()
  const { opened, news } = await open(deps, ticket, step, visit).catch(async (error: unknown) => {
    const isWrong = error instanceof ApiError && error.status < 500 && error.code !== 'admin_address_not_allowed'
    if (isWrong) {
      await attempt.failed()
      deps.authFailures.record({ kind: 'second_factor_failed', userId: user.id, origin: visit.origin })
    }
    throw error
  })
  if (!opened) {
    await refuseStanding(deps, user.id)
    throw new ApiError('login_ticket_invalid') // the password of the first half is not the user's any more
  }
  await attempt.succeeded()
  // The failures of strangers go on delaying them.
  if (!device) await forgetLoginFailures(deps.limiter, [user.username, user.email])
  if (news) mailOwner(deps, user.email, news, language)
  return opened
}

async function open(deps: FinishDeps, ticket: LoginTicket, step: SecondStep, visit: Visit) {
  const { user, first } = ticket
  const factor = await checkFactor(deps, user.id, step)
  let news: SecurityNews | undefined
  const details = { method: first.method, second: factor.kind }
  const signIn = {
    user,
    passwordHash: first.passwordHash,
    details,
    async useUp(transaction: Db) {
      await ticket.use(transaction)
      await factor.useUp(transaction)
      if (factor.kind !== 'recovery_code') return
      news = recoveryCodeUsed(visit.origin, await recoveryCodes.countLeft(transaction, user.id))
      await tellOwner(transaction, user.id, news)
    },
  }
  const opened = await openSession(deps, signIn, visit)
  return { opened, news }
}

async function checkFactor(deps: FinishDeps, userId: number, { code, passkey }: SecondStep) {
  if (passkey === undefined) return checkAnyCode(deps, userId, code ?? '')
  const checked = await checkPasskey(deps, passkey, 'second', userId)
  return { kind: 'passkey' as const, useUp: checked.noteUse }
}
