import { api, ApiError } from '@tidegate/contract'
import { identities, type UserRow } from '@tidegate/storage'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../../deps.ts'
import type { Origin } from '../../http/actor.ts'
import { finishSignIn } from '../login/finish-sign-in.ts'
import { findOwner } from './find-owner.ts'
import type { Profile } from './profile.ts'
import { registerWith } from '../registration/register-with-oauth.ts'

interface Visit {
  aff: string
  /** Services that only let in whoever has bound them before do not make accounts. */
  mayRegister: boolean
  origin: Origin
  reply: FastifyReply
}

/** Lets the owner of a profile in; whoever is new gets an account first. */
export async function signInWith(
  deps: Deps,
  profile: Profile,
  { aff, mayRegister, origin, reply }: Visit,
): Promise<api.User> {
  const owner = await findOwner(deps.db, profile)
  if (!owner && !mayRegister) throw new ApiError('telegram_unbound')
  const user = owner ?? (await registerWith(deps, profile, { aff, origin }))
  checkStanding(user)
  await identities.setLabel(deps.db, profile.key, profile.label)
  return finishSignIn(deps, user, { origin, reply, method: profile.service })
}

function checkStanding(user: UserRow): void {
  if (user.deleted_at) throw new ApiError('user_deregistered')
  if (user.status !== api.USER_STATUS.active) throw new ApiError('user_banned')
}
