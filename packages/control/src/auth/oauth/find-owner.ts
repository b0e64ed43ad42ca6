import { ApiError } from '@tidegate/contract'
import { identities, type Db, type UserRow } from '@tidegate/storage'
import type { Profile } from './profile.ts'

/**
 * Whose account a profile opens, be they banned or gone. A former binding moves to the present key once it is shown to be of
 * the same person, and opens nothing before.
 */
export async function findOwner(db: Db, { key, former }: Profile): Promise<UserRow | undefined> {
  const owner = await identities.findUser(db, key)
  if (owner || !former) return owner
  const bound = await identities.findBound(db, former.key)
  if (!bound) return undefined
  if (!(await former.isSamePerson(bound.user, bound.at))) throw new ApiError('github_name_unproven')
  await identities.rename(db, former.key, key)
  return bound.user
}

/** Whether a profile belongs to another user. A former binding of one's own can be replaced. */
export async function belongsToAnother(db: Db, { key, former }: Profile, userId: number): Promise<boolean> {
  if (await identities.findUser(db, key)) return true
  const owner = former && (await identities.findUser(db, former.key))
  return owner !== undefined && owner.id !== userId
}
