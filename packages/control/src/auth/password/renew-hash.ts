import { users, type Db, type UserRow } from '@tidegate/storage'
import { hashPassword, isForeignHash, passwordMatches } from './passwords.ts'

/**
 * Puts our own hash in place of one from elsewhere, once the password is known, and gives the user as they are then. A
 * password changed meanwhile stays changed; one who signed in at the same moment has put the same one there.
 */
export async function renewHash(db: Db, user: UserRow, password: string): Promise<UserRow> {
  if (!isForeignHash(user.password_hash)) return user
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
