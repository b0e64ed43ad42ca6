import { hash, verify } from '@node-rs/argon2'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'
import { type Db, type UserRow, users } from '@tidegate/storage'

/** argon2id with 19 MiB and two passes: about 12 ms. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** NFKC: keyboards and systems compose the same characters in different ways. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), COST)
}

/** A hash imported from an earlier product; the next login replaces it. */
export function isBcryptHash(stored: string | null): boolean {
  return stored?.startsWith('$2') ?? false
}

/**
 * Takes the same time whether or not the user exists or has a password. Once this process has seen a bcrypt hash, every
 * failed check also runs bcrypt.
 */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  const normal = password.normalize('NFKC')
  // Imported and older hashes are of the password as typed, without NFKC.
  return (await matches(stored, normal)) || (normal !== password && (await matches(stored, password)))
}

async function matches(stored: string | null | undefined, password: string): Promise<boolean> {
  const foreign = isBcryptHash(stored ?? null)
  hasSeenBcrypt ||= foreign
  const own = foreign || !stored ? undefined : stored
  if (foreign && (await verifyBcrypt(password, stored!))) return true
  const isRight = await verify(own ?? (await dummyHash()), password)
  if (isRight && own !== undefined) return true
  if (hasSeenBcrypt && !foreign) await verifyBcrypt(password, DUMMY_BCRYPT_HASH)
  return false
}

let hasSeenBcrypt = false
let cachedDummyHash: Promise<string> | undefined

function dummyHash(): Promise<string> {
  return (cachedDummyHash ??= hashPassword('nobody has this password'))
}

/** Hash of random bytes, at the cost those products use. */
const DUMMY_BCRYPT_HASH = '$2a$10$LtrIITdPutg4q7qliqmlt.nO1WnqySO5h9CjA2mtu72QcAU76qj8m'

/**
 * Replaces an imported hash after the password was verified and returns the current user. A password changed
 * concurrently stays.
 */
export async function upgradeHash(db: Db, user: UserRow, password: string): Promise<UserRow> {
  if (!isBcryptHash(user.password_hash)) return user
  const own = await hashPassword(password)
  const { numUpdatedRows } = await db
    .updateTable('user')
    .set({ password_hash: own })
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .executeTakeFirst()
  if (numUpdatedRows === 1n) return { ...user, password_hash: own }
  const now = await users.findById(db, user.id)
  return now && (await passwordMatches(now.password_hash, password)) ? now : user
}
