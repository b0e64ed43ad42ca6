import type { Status } from '@tidegate/contract/api'
import { matchPath } from 'react-router'
import type { Session } from '../api/session.ts'
import { redirectFor } from './guards.ts'
import { SCREENS } from './route-table.ts'

/** Where the first visit must go instead of the address it came with, or null. */
export function startingPath(
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
  status: Status,
  session: Session,
): string | null {
  const screen = SCREENS.find(({ path }) => matchPath(path, pathname))
  return redirectFor({ pathname, search, guard: screen?.guard ?? 'none' }, status, session)
}
