import { isAdmin, isRoot, type Status, type User } from '@tidegate/contract/api'
import { loginPath } from '../lib/return-path.ts'
import type { Session } from '../api/session.ts'

/** Who may see a screen. The server checks again on every call; this only spares people a screen that cannot work. */
export type Guard = 'none' | 'login' | 'admin' | 'root'

export interface Visit {
  pathname: string
  search: string
  guard: Guard
}

/** Where a visit must go instead, or null when it may stay. */
export function redirectFor(
  { pathname, search, guard }: Visit,
  status: Pick<Status, 'setup'>,
  { user, ended }: Pick<Session, 'ended'> & { user: Pick<User, 'role'> | null },
): string | null {
  if (!status.setup) return pathname === '/setup' ? null : '/setup'
  if (pathname === '/setup') return '/'
  if (guard === 'none') return null
  if (!user) {
    // Whoever logged out is done here; the next person should not land where they were.
    return ended === 'logged-out' ? '/login' : loginPath({ expired: ended === 'expired', returnTo: pathname + search })
  }
  // Links to the settings of the site lead users who do not run it to their own settings.
  if (pathname === '/admin/settings' && !hasAccess(user, guard)) return '/app/me?tab=security'
  return null
}

/** Whether the role of a logged-in user is high enough for a screen. */
export function hasAccess(user: Pick<User, 'role'> | null, guard: Guard): boolean {
  if (guard === 'root') return isRoot(user?.role ?? 0)
  return guard !== 'admin' || isAdmin(user?.role ?? 0)
}
