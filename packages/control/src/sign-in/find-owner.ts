import { identities, type Db, type UserRow } from '@tidegate/storage'
import type { Profile } from './profile.ts'

/** Whose account a profile opens, be they banned or gone. A binding under a former key moves to the present one. */
export async function findOwner(db: Db, { key, formerKey }: Profile): Promise<UserRow | undefined> {
  const owner = await identities.findUser(db, key)
  if (owner || !formerKey) return owner
  const former = await identities.findUser(db, formerKey)
  if (former) await identities.rename(db, formerKey, key)
  return former
}
