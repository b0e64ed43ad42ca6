import { ApiError } from '@tidegate/contract'
import { users } from '@tidegate/storage'
import { takeOwnTry } from './login/reauth-throttle.ts'
import { passwordMatches } from './password/passwords.ts'
import { hasProved } from './reauthenticate.ts'
import type { Deps } from '../deps.ts'
import type { Actor } from '../http/actor.ts'

/**
 * A borrowed browser has the cookie but not the password: what could lock the owner out wants the password again, or proof
 * of the last ten minutes, which a login is too.
 */
export async function proveOwner(
  deps: Pick<Deps, 'db' | 'limiter' | 'now'>,
  actor: Actor,
  password: string,
): Promise<void> {
  if (password !== '') return checkOwnPassword(deps, actor, password)
  if (!(await hasProved(deps, actor))) throw new ApiError('original_password_required')
}

export async function checkOwnPassword(
  { db, limiter }: Pick<Deps, 'db' | 'limiter'>,
  actor: Actor,
  password: string,
): Promise<void> {
  const attempt = await takeOwnTry(limiter, 'original-password', actor.id)
  const user = await users.findById(db, actor.id)
  if (!(await passwordMatches(user?.password_hash, password))) throw new ApiError('original_password_wrong')
  await attempt.succeeded()
}
