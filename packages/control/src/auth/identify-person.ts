import type { IncomingHttpHeaders } from 'node:http'
import { ApiError, ROLES, type Role } from '@tidegate/contract'
import type { UserRow } from '@tidegate/storage'
import { enforceAdminPolicy } from './admin-policy.ts'
import type { Deps } from '../deps.ts'
import type { Origin } from '../http/actor.ts'
import { checkStanding, checkUserIdHeader, findBySession } from './authenticate.ts'
import { refuseChangesOnDemoSite, refuseOtherOrigins } from '../serve.ts'

/**
 * Who is at the console, for calls that are not of `/api` but are let in by the same rules: a session of this site, with
 * its user named, in good standing. An access token is no person.
 */
export async function identifyPerson(
  deps: Pick<Deps, 'db' | 'vault' | 'now' | 'catalog' | 'authFailures'>,
  headers: IncomingHttpHeaders,
  origin: Pick<Origin, 'clientIp' | 'requestId'>,
): Promise<UserRow> {
  refuseOtherOrigins({ headers })
  const found = await findBySession(deps, { headers, cookies: cookiesIn(headers.cookie) })
  if (!found) throw new ApiError(headers.authorization ? 'access_token_not_supported' : 'not_logged_in')
  const { user } = found
  checkUserIdHeader({ headers }, user.id)
  checkStanding(user)
  if (user.role < ROLES.user) throw new ApiError('forbidden')
  await enforceAdminPolicy(deps, user, { origin, hasSession: true })
  refuseChangesOnDemoSite(deps, { role: user.role as Role }) // it spends
  return user
}

/** Ids of sessions need no decoding. The first cookie of a name counts, as under `/api`. */
function cookiesIn(header = ''): Record<string, string> {
  const pairs = header.split(';').map((pair) => pair.trim().split('=', 2))
  return Object.fromEntries(pairs.toReversed())
}
