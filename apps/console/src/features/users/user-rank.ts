import { isAdmin, isRoot, ROLES, USER_STATUS, type ListedUser, type ManageAction } from '@tidegate/contract/api'

export type UserAction = ManageAction | 'edit' | 'statement'

/** Defined by the specification of the console. The server never writes it, and such a user cannot be enabled. */
export const STATUS_EXISTS = 3

interface Ranked {
  role: number
}

/** The actions that a viewer may take on a user. The server checks them again. */
export function actionsFor(
  viewer: Ranked,
  user: Ranked & Pick<ListedUser, 'status' | 'DeletedAt'>,
): ReadonlySet<UserAction> {
  if (!outranks(viewer, user)) return new Set()
  if (user.DeletedAt !== null) return new Set(['restore', 'statement']) // ledger entries stay
  const offered: UserAction[] = ['edit', 'statement']
  if (isRoot(viewer.role) && !isAdmin(user.role)) offered.push('promote')
  // The super admin cannot be demoted, suspended or deleted.
  if (!isRoot(user.role)) {
    if (user.role !== ROLES.user) offered.push('demote')
    offered.push(user.status === USER_STATUS.active ? 'disable' : 'enable', 'reset_security', 'delete')
  }
  return new Set(offered)
}

/** Administrators act on lower roles, the super admin on all users. */
function outranks(viewer: Ranked, user: Ranked): boolean {
  return viewer.role > user.role || isRoot(viewer.role)
}
