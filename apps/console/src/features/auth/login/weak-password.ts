import { isRoot, type User } from '@tidegate/contract/api'
import type { Credentials } from './queries.ts'

/** What older installations started with. */
const DEFAULT = '123456'

/** What anybody would try next. */
const OBVIOUS = new Set([
  '00000000',
  '11111111',
  '12345678',
  '123456789',
  '1234567890',
  '88888888',
  'abcd1234',
  'admin123',
  'password',
  'qwer1234',
  'qwertyui',
  'root1234',
])

export type Weakness = 'default' | 'weak'

/** How little the password of a login protects; nothing when it is neither known to all nor the name itself. */
export function weaknessOf({ username, password }: Credentials): Weakness | undefined {
  const folded = password.toLowerCase()
  if (folded === DEFAULT) return 'default'
  return OBVIOUS.has(folded) || folded === username.trim().toLowerCase() ? 'weak' : undefined
}

/** Whoever guesses the password of the super admin owns the site; everybody else's is their own affair. */
export const concernsSite = ({ role }: Pick<User, 'role'>): boolean => isRoot(role)
