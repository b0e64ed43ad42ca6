import { Refusal } from '@tidegate/contract'
import { sessions, users } from '@tidegate/storage'
import { passwordMatches } from '../access/passwords.ts'
import type { Deps } from '../deps.ts'
import type { Actor } from '../http/actor.ts'

const RECENT_SECONDS = 600

/**
 * A borrowed browser has the cookie but not the password: what could lock the owner out wants the password again, or a
 * login of the last ten minutes. An account without a password, from a sign-in service, has only the login to show.
 */
export async function proveOwner(
  { db, limiter, now }: Pick<Deps, 'db' | 'limiter' | 'now'>,
  actor: Actor,
  password: string,
): Promise<void> {
  if (password === '') {
    if (await loggedInRecently({ db, now }, actor)) return
    throw new Refusal('original_password_required')
  }
  const key = `original-password:${actor.id}`
  const seconds = Math.ceil(await limiter.takeTry(key))
  if (seconds > 0) throw new Refusal('login_delayed', { seconds }, { retryAfterSeconds: seconds })
  const user = await users.findById(db, actor.id)
  if (!(await passwordMatches(user?.password_hash, password))) throw new Refusal('original_password_wrong')
  await limiter.clearFailures(key)
}

export async function loggedInRecently(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { sessionHash }: Actor,
): Promise<boolean> {
  const start = sessionHash === undefined ? undefined : await sessions.startOf(db, sessionHash)
  return start !== undefined && now().getTime() - start.getTime() < RECENT_SECONDS * 1000
}
