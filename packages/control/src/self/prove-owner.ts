import { Refusal } from '@tidegate/contract'
import { users } from '@tidegate/storage'
import { passwordMatches } from '../access/passwords.ts'
import { hasProved } from '../access/proof.ts'
import type { Deps } from '../deps.ts'
import type { Actor } from '../http/actor.ts'

/**
 * A borrowed browser has the cookie but not the password: what could lock the owner out wants the password again, or proof
 * of the last ten minutes, which a login is too.
 */
export async function proveOwner(
  { db, limiter, now }: Pick<Deps, 'db' | 'limiter' | 'now'>,
  actor: Actor,
  password: string,
): Promise<void> {
  if (password === '') {
    if (await hasProved({ db, now }, actor)) return
    throw new Refusal('original_password_required')
  }
  const key = `original-password:${actor.id}`
  const seconds = Math.ceil(await limiter.takeTry(key))
  if (seconds > 0) throw new Refusal('login_delayed', { seconds }, { retryAfterSeconds: seconds })
  const user = await users.findById(db, actor.id)
  if (!(await passwordMatches(user?.password_hash, password))) throw new Refusal('original_password_wrong')
  await limiter.clearFailures(key)
}
