import type { IncomingHttpHeaders } from 'node:http'
import {
  ACCESS_TOKEN,
  api,
  ApiError,
  type Endpoint,
  isAdmin,
  hasWrongChecksum,
  type Role,
  type RoleName,
  ROLES,
  USER_ID_HEADERS,
} from '@tidegate/contract'
import { accessTokens, sessions, type UserRow, users } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Actor, AutomationCredential, Origin } from '../http/actor.ts'
import { rejectOnDemoSite, requireSameOrigin } from '../http/request-checks.ts'
import { enforceAdminPolicy } from './admin-policy.ts'
import { type ProtectedRequest, recordForbidden } from './auth-failures.ts'
import { authenticateAutomationToken, isAutomationToken } from './automation-tokens.ts'
import { sessionHashIn, sessionLimits } from './sessions/sessions.ts'

type AuthDeps = Pick<Deps, 'db' | 'vault' | 'now' | 'catalog'>
type CallerDeps = AuthDeps & Pick<Deps, 'authFailures'>

/** The parts of a request that identify the caller. */
interface RequestCredentials {
  readonly headers: IncomingHttpHeaders
  readonly cookies: Readonly<Record<string, string | undefined>>
}

/** Runs the checks of a protected endpoint in the order of the specification; the first failing one throws. */
export async function authenticate(
  deps: CallerDeps,
  request: RequestCredentials,
  call: ProtectedRequest & { endpoint: { access: RoleName } },
): Promise<Actor> {
  const found = await findCaller(deps, request, call)
  if (!found) throw new ApiError('not_logged_in')
  // A program with its own token has no other tab, and no page can make a browser send the token.
  if (!found.automation || userIdHeaders(request).length > 0) checkUserIdHeader(request, found.user.id)
  ensureUserActive(found.user)
  if (found.user.role < ROLES[call.endpoint.access] && !hasDelegatedArea(found.user, call.endpoint)) {
    recordForbidden(deps, call, found.user, 'forbidden')
    throw new ApiError('forbidden')
  }
  await enforceAdminPolicy(deps, found.user, policyRequest(found, call))
  return toActor(found)
}

/** Whether the super admin delegated the endpoint's settings area to this administrator. */
function hasDelegatedArea(
  { role, settings_areas }: UserRow,
  { settingsArea }: Pick<Endpoint, 'settingsArea'>,
): boolean {
  if (!isAdmin(role) || settingsArea === undefined) return false
  return settingsArea === 'any' ? settings_areas.length > 0 : settings_areas.includes(settingsArea)
}

/** For streams: whether the caller would still be authenticated. Database errors say nothing about the credential. */
export async function isStillAllowed(
  deps: CallerDeps,
  request: RequestCredentials,
  call: ProtectedRequest & { endpoint: { access: RoleName } },
): Promise<boolean> {
  try {
    await authenticate(deps, request, call)
    return true
  } catch (error) {
    return !(error instanceof ApiError) || error.status >= 500
  }
}

/**
 * For endpoints where a session is optional: never rejects. An administrator blocked by a policy counts as anonymous.
 */
export async function authenticateOptional(
  deps: CallerDeps,
  request: RequestCredentials,
  call: ProtectedRequest,
): Promise<Actor | undefined> {
  const found = await findBySession(deps, request, call.endpoint)
  if (!found || found.user.deleted_at || found.user.status !== api.USER_STATUS.active) return undefined
  try {
    await enforceAdminPolicy(deps, found.user, policyRequest(found, call))
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
  return toActor(found)
}

function policyRequest({ sessionHash }: AuthenticatedUser, { endpoint, origin }: ProtectedRequest) {
  return { endpoint, origin, hasSession: sessionHash !== undefined }
}

/** Pages of other sites cannot send custom headers. The value also detects a tab that belongs to another user. */
export function checkUserIdHeader(request: Pick<RequestCredentials, 'headers'>, userId: number): void {
  const values = userIdHeaders(request)
  const [header, ...others] = values
  if (header === undefined) throw new ApiError('user_id_header_missing')
  if (others.length > 0) throw new ApiError('user_id_header_conflict', { values: values.join(', ') })
  if (!/^-?\d+$/.test(header)) throw new ApiError('user_id_header_malformed')
  if (Number(header) !== userId) throw new ApiError('user_id_header_mismatch')
}

/**
 * The distinct user ids in the headers. Our own header takes precedence: corporate proxies add headers such as `User-
 * Id` with other meanings.
 */
function userIdHeaders({ headers }: Pick<RequestCredentials, 'headers'>): string[] {
  const own = headers[USER_ID_HEADERS[0].toLowerCase()]
  if (own) return [own].flat()
  const values = USER_ID_HEADERS.flatMap((name) => headers[name.toLowerCase()])
  return [...new Set(values.filter((value) => value !== undefined && value !== ''))] as string[]
}

interface AuthenticatedUser {
  user: UserRow
  sessionHash: string | undefined
  automation?: AutomationCredential
}

async function findCaller(
  deps: CallerDeps,
  request: RequestCredentials,
  call: ProtectedRequest,
): Promise<AuthenticatedUser | undefined> {
  const bySession = await findBySession(deps, request, call.endpoint)
  if (bySession) {
    // The cookie is SameSite=Strict; this check covers browsers that ignore it.
    if (request.headers['sec-fetch-site'] === 'cross-site') throw new ApiError('cross_site_refused')
    return bySession
  }
  const accessToken = request.headers.authorization?.replace(/^Bearer\s+/i, '').trim()
  if (!accessToken) return undefined
  if (isAutomationToken(accessToken)) {
    const { user, automation } = await authenticateAutomationToken(deps, accessToken, call)
    return { user, sessionHash: undefined, automation }
  }
  const hash = deps.vault.keyedHash('access-token', accessToken)
  const user = await users.findByAccessToken(deps.db, hash)
  // Checked after the lookup: an old random token can start like a new one.
  if (!user)
    throw new ApiError(hasWrongChecksum(ACCESS_TOKEN, accessToken) ? 'access_token_mistyped' : 'access_token_invalid')
  await accessTokens.touch(deps.db, hash, deps.now())
  return { user, sessionHash: undefined }
}

export async function findBySession(
  { db, vault, now, catalog }: AuthDeps,
  request: RequestCredentials,
  { background }: Pick<Endpoint, 'background'> = {},
): Promise<AuthenticatedUser | undefined> {
  const hash = sessionHashIn(vault, request.cookies)
  if (hash === undefined) return undefined
  const user = await users.findBySession(db, hash, sessionLimits(catalog().settings, now()))
  if (!user) return undefined
  if (!background) await sessions.touch(db, hash, now())
  return { user, sessionHash: hash }
}

function ensureUserActive(user: UserRow): void {
  if (user.deleted_at) throw new ApiError('user_deregistered')
  if (user.status === api.USER_STATUS.banned) throw new ApiError('user_banned')
  if (user.username.trim() === '' || !isRole(user.role)) throw new ApiError('user_info_invalid')
}

function toActor({ user, sessionHash, automation }: AuthenticatedUser): Actor {
  const { id, username, group, settings_areas: settingsAreas } = user
  return { id, username, role: user.role as Role, group, settingsAreas, sessionHash, ...(automation && { automation }) }
}

function isRole(role: number): role is Role {
  return Object.values<number>(ROLES).includes(role)
}

/**
 * Authenticates a console user for endpoints outside `/api`, by the same rules: a session, the user id header, an
 * active user. Access tokens are rejected.
 */
export async function authenticateConsoleUser(
  deps: Pick<Deps, 'db' | 'vault' | 'now' | 'catalog' | 'authFailures'>,
  headers: IncomingHttpHeaders,
  origin: Pick<Origin, 'clientIp' | 'requestId'>,
): Promise<UserRow> {
  requireSameOrigin({ headers })
  const found = await findBySession(deps, { headers, cookies: parseCookies(headers.cookie) })
  if (!found) throw new ApiError(headers.authorization ? 'access_token_not_supported' : 'not_logged_in')
  const { user } = found
  checkUserIdHeader({ headers }, user.id)
  ensureUserActive(user)
  if (user.role < ROLES.user) throw new ApiError('forbidden')
  await enforceAdminPolicy(deps, user, { origin, hasSession: true })
  rejectOnDemoSite(deps, { role: user.role as Role }) // the request spends balance
  return user
}

/** Session ids need no decoding. The first cookie of a name counts, as under `/api`. */
function parseCookies(header = ''): Record<string, string> {
  const pairs = header.split(';').map((pair) => pair.trim().split('=', 2))
  return Object.fromEntries(pairs.toReversed())
}
