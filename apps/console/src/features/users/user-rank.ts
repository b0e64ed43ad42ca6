import { isAdmin, isRoot, ROLES, USER_STATUS, type ListedUser, type ManageAction } from '@tidegate/contract/api'

export type UserAction = ManageAction | 'edit' | 'statement'

/** Known to the console only: the server never writes it, and such a user cannot be enabled. */
export const STATUS_EXISTS = 3

interface Ranked {
  role: number
}

/** What a viewer is offered for a user. The server decides again; this only spares people what it would refuse. */
export function actionsFor(
  viewer: Ranked,
  user: Ranked & Pick<ListedUser, 'status' | 'DeletedAt'>,
): ReadonlySet<UserAction> {
  if (!outranks(viewer, user)) return new Set()
  if (user.DeletedAt !== null) return new Set(['restore', 'statement']) // the books outlive the account
  const offered: UserAction[] = ['edit', 'statement']
  if (isRoot(viewer.role) && !isAdmin(user.role)) offered.push('promote')
  // Nobody is above the super admin.
  if (!isRoot(user.role)) {
    if (user.role !== ROLES.user) offered.push('demote')
    offered.push(user.status === USER_STATUS.active ? 'disable' : 'enable', 'reset_security', 'delete')
  }
  return new Set(offered)
}

/** Administrators act on those below them, the super admin on anybody. */
function outranks(viewer: Ranked, user: Ranked): boolean {
  return viewer.role > user.role || isRoot(viewer.role)
}
