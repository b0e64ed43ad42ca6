import type { ListedUser, ManageAction } from '@tidegate/contract/api'

/** A row as it is after an action: rank and status are the server's answer, so nothing else is asked again. */
export function afterAction(
  user: ListedUser,
  action: ManageAction,
  { role, status }: Pick<ListedUser, 'role' | 'status'>,
  now = new Date(),
): ListedUser {
  const changed = { ...user, role, status }
  if (action === 'delete') return { ...changed, DeletedAt: now.toISOString() }
  return action === 'restore' ? { ...changed, DeletedAt: null } : changed
}
