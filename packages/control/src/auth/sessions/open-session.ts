import { api, ApiError } from '@tidegate/contract'
import { auditEvents, users, type Db, type UserRow } from '@tidegate/storage'
import type { FastifyReply } from 'fastify'
import { checkAdminAddress } from '../admin-policy.ts'
import { giveDeviceCookie } from '../login/device-cookie.ts'
import { giveSessionCookie, insertSession } from './sessions.ts'
import { ownView } from '../../users/user-view.ts'
import type { Deps } from '../../deps.ts'
import type { Origin } from '../../http/actor.ts'
import { tellOfNewDevice } from '../login/tell-of-new-device.ts'

export type SessionDeps = Pick<Deps, 'db' | 'vault' | 'now' | 'catalog' | 'authFailures'>

/** How somebody showed who they are: `password`, `passkey`, or the name of a sign-in service. */
export type SignInMethod = 'password' | 'passkey' | api.SignInServiceName

export interface Visit {
  origin: Origin
  reply: FastifyReply
}

interface FinishedSignIn {
  user: UserRow
  /** The password the sign-in rests on, if it does: it must still be the user's. */
  passwordHash?: string | null
  details: { method: SignInMethod; second?: api.SecondFactorNeeded['methods'][number] }
  /** Uses up what was shown, with the session; throws when somebody was faster. */
  useUp?(transaction: Db): Promise<void>
}

/** Starts the session of a sign-in that was right in every part, and notes it. Undefined when the user may not come in. */
export async function openSession(
  deps: SessionDeps,
  { user, passwordHash, details, useUp }: FinishedSignIn,
  { origin, reply }: Visit,
): Promise<api.User | undefined> {
  checkAdminAddress(deps, user, origin)
  const hasFactor = details.method === 'passkey' || details.second !== undefined
  const owner = { id: user.id, passwordHash, factorAt: hasFactor ? deps.now() : null }
  const id = await deps.db.transaction().execute(async (transaction) => {
    // First of all, since it locks the user: whoever takes second factors away locks the user before those as well.
    const opened = await insertSession({ ...deps, db: transaction }, owner, origin)
    if (opened === undefined) return undefined
    await useUp?.(transaction)
    await tellOfNewDevice(deps, transaction, user, origin)
    const event = { action: 'user.login', subject: String(user.id), details }
    await auditEvents.record(transaction, { actorId: user.id, ...event, ...origin })
    return opened
  })
  if (id === undefined) return undefined
  giveSessionCookie(deps, reply, origin, id)
  giveDeviceCookie(deps, user.id, { origin, reply })
  return ownView(deps, user)
}

/** For somebody who was right and is not let in all the same. */
export async function refuseStanding({ db }: Pick<Deps, 'db'>, userId: number): Promise<void> {
  const user = await users.findById(db, userId)
  if (!user || user.deleted_at) throw new ApiError('user_deregistered')
  if (user.status !== api.USER_STATUS.active) throw new ApiError('user_banned')
}
