import { randomBytes } from 'node:crypto'
import { api, ApiError, type Settings } from '@tidegate/contract'
import {
  accessTokens,
  auditEvents,
  automationTokens,
  type Db,
  type SessionLimits,
  type SessionRow,
  sessions,
  type UserRow,
  users,
  type Vault,
} from '@tidegate/storage'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../../deps.ts'
import type { Origin } from '../../http/actor.ts'
import { clearSiteCookie, hostCookieName, setSiteCookie } from '../../http/cookies.ts'
import { ownView } from '../../users/user-view.ts'
import { checkAdminAddress } from '../admin-policy.ts'
import { setDeviceCookie, notifyOfNewDevice } from '../login/known-devices.ts'

const SESSION_COOKIE = 'tidegate_session'
const DAY_MS = 24 * 60 * 60 * 1000
const MINUTE_MS = 60 * 1000
/** The time of the last request is noted once a minute, so an idle session may look this much more idle than it is. */
const LAST_SEEN_INTERVAL_MS = MINUTE_MS

/** Which sessions the site accepts now, whatever end they were given when they began. */
export function sessionLimits(settings: Settings, now: Date): SessionLimits {
  const { 'security.session_days': days, 'security.session_idle_minutes': idleMinutes } = settings
  return {
    now,
    createdAfter: new Date(now.getTime() - days * DAY_MS),
    seenAfter: idleMinutes === 0 ? null : new Date(now.getTime() - idleMinutes * MINUTE_MS - LAST_SEEN_INTERVAL_MS),
  }
}

/** When a session ends at the latest. */
export function sessionEnd(settings: Settings, session: Pick<SessionRow, 'created_at' | 'expires_at'>): Date {
  const end = session.created_at.getTime() + settings['security.session_days'] * DAY_MS
  return new Date(Math.min(end, session.expires_at.getTime()))
}

/** The session that a request names, by its stored hash: the id itself exists only in the browser's cookie. */
export function sessionHashIn(vault: Vault, cookies: Readonly<Record<string, string | undefined>>): string | undefined {
  const hostId = cookies[hostCookieName(SESSION_COOKIE)]
  if (hostId) return sessionHash(vault, hostId, { isSecure: true })
  const id = cookies[SESSION_COOKIE]
  return id ? sessionHash(vault, id, { isSecure: false }) : undefined
}

/** Differs by the name of the cookie: a sibling host can plant the plain name, but no session that began over https. */
function sessionHash(vault: Vault, id: string, { isSecure }: Pick<Origin, 'isSecure'>): string {
  return vault.keyedHash('session', isSecure ? `host:${id}` : id)
}

type InsertDeps = Pick<Deps, 'db' | 'vault' | 'now' | 'catalog'>

/** Whose session it is to be. */
interface SessionOwner {
  id: number
  /** The password it rests on, which must still be the user's; left out where it rests on something else. */
  passwordHash?: string | null
  /** When the owner last re-authenticated, where the session replaces another; otherwise now. */
  reauthenticatedAt?: Date | undefined
  /** When the owner last showed a second factor, if ever. */
  factorAt?: Date | null | undefined
}

/** Starts a session with a fresh id and gives the cookie to the visitor; false when the user may not sign in any more. */
export async function startSession(
  deps: InsertDeps,
  owner: SessionOwner,
  origin: Origin,
  reply: FastifyReply,
): Promise<boolean> {
  const id = await insertSession(deps, owner, origin)
  if (id !== undefined) setSessionCookie(deps, reply, origin, id)
  return id !== undefined
}

/** The id of a new session, for the cookie. A login is proof of its owner as well. */
async function insertSession(
  { db, vault, now, catalog }: InsertDeps,
  { id: userId, passwordHash, reauthenticatedAt, factorAt }: SessionOwner,
  origin: Origin,
): Promise<string | undefined> {
  const id = randomBytes(32).toString('base64url')
  const at = now()
  const session = {
    id_hash: sessionHash(vault, id, origin),
    user_id: userId,
    created_at: at,
    expires_at: new Date(at.getTime() + catalog().settings['security.session_days'] * DAY_MS),
    client_ip: origin.clientIp,
    user_agent: origin.userAgent,
    proved_at: reauthenticatedAt ?? at,
    factor_at: factorAt ?? null,
  }
  return (await sessions.insertIfAllowed(db, session, passwordHash)) ? id : undefined
}

function setSessionCookie({ catalog }: Pick<Deps, 'catalog'>, reply: FastifyReply, origin: Origin, id: string): void {
  const maxAge = (catalog().settings['security.session_days'] * DAY_MS) / 1000
  setSiteCookie(reply, origin, { name: SESSION_COOKIE, value: id, maxAge })
}

export async function endSession(db: Db, hash: string): Promise<void> {
  await sessions.remove(db, hash)
}

export function clearSessionCookie(reply: FastifyReply): void {
  clearSiteCookie(reply, SESSION_COOKIE)
}

export type SessionDeps = Pick<Deps, 'db' | 'vault' | 'now' | 'catalog' | 'authFailures'>

/** How somebody showed who they are: `password`, `passkey`, or the name of a sign-in service. */
export type LoginMethod = 'password' | 'passkey' | api.SignInServiceName

export interface LoginContext {
  origin: Origin
  reply: FastifyReply
}

interface CompletedLogin {
  user: UserRow
  /** The password the sign-in rests on, if it does: it must still be the user's. */
  passwordHash?: string | null
  details: { method: LoginMethod; second?: api.SecondFactorNeeded['methods'][number] }
  /** Uses up what was shown, with the session; throws when somebody was faster. */
  consume?(transaction: Db): Promise<void>
}

/** Starts the session of a sign-in that was right in every part, and notes it. Undefined when the user may not come in. */
export async function openSession(
  deps: SessionDeps,
  { user, passwordHash, details, consume }: CompletedLogin,
  { origin, reply }: LoginContext,
): Promise<api.User | undefined> {
  checkAdminAddress(deps, user, origin)
  const hasFactor = details.method === 'passkey' || details.second !== undefined
  const owner = { id: user.id, passwordHash, factorAt: hasFactor ? deps.now() : null }
  const id = await deps.db.transaction().execute(async (transaction) => {
    // First of all, since it locks the user: whoever takes second factors away locks the user before those as well.
    const opened = await insertSession({ ...deps, db: transaction }, owner, origin)
    if (opened === undefined) return undefined
    await consume?.(transaction)
    await notifyOfNewDevice(deps, transaction, user, origin)
    const event = { action: 'user.login', subject: String(user.id), details }
    await auditEvents.record(transaction, { actorId: user.id, ...event, ...origin })
    return opened
  })
  if (id === undefined) return undefined
  setSessionCookie(deps, reply, origin, id)
  setDeviceCookie(deps, user.id, { origin, reply })
  return ownView(deps, user)
}

/** For somebody who was right and is not let in all the same. */
export async function rejectInactiveUser({ db }: Pick<Deps, 'db'>, userId: number): Promise<void> {
  const user = await users.findById(db, userId)
  if (!user || user.deleted_at) throw new ApiError('user_deregistered')
  if (user.status !== api.USER_STATUS.active) throw new ApiError('user_banned')
}

/**
 * Ends every credential that administers an account: sessions, the system access token and automation tokens. For a new
 * password, a ban, another role and signing out everywhere. API tokens stay: they only call models, and have an end of their
 * own. The notice of the ended sessions cuts what these credentials have opened, on every node.
 */
export async function revokeAccess(transaction: Db, userId: number): Promise<void> {
  await sessions.removeAllOf(transaction, userId)
  await accessTokens.remove(transaction, userId)
  await automationTokens.removeAllOf(transaction, userId)
}
