import { isAdmin, isRoot, type Status, type User } from '@tidegate/contract/api'
import { loginPath } from '../lib/return-path.ts'
import type { Session } from '../api/session.ts'

/** Who can see a page. The server checks access on every request. */
export type Guard = 'none' | 'login' | 'admin' | 'root'

export interface PageRequest {
  pathname: string
  search: string
  guard: Guard
}

/** Where a page request is redirected, or null. */
export function redirectFor(
  { pathname, search, guard }: PageRequest,
  status: Pick<Status, 'setup'>,
  { user, ended }: Pick<Session, 'ended'> & { user: Pick<User, 'role'> | null },
): string | null {
  if (!status.setup) return pathname === '/setup' ? null : '/setup'
  if (pathname === '/setup') return '/'
  if (guard === 'none') return null
  if (!user) {
    // After a logout the next user must not land on the page of the previous one.
    return ended === 'logged-out' ? '/login' : loginPath({ expired: ended === 'expired', returnTo: pathname + search })
  }
  // Users without access to the site settings are redirected to their own settings.
  if (pathname === '/admin/settings' && !hasAccess(user, guard)) return '/app/me?tab=security'
  return null
}

/** Whether the role of the user is high enough for a page. */
export function hasAccess(user: Pick<User, 'role'> | null, guard: Guard): boolean {
  if (guard === 'root') return isRoot(user?.role ?? 0)
  return guard !== 'admin' || isAdmin(user?.role ?? 0)
}
