import { randomBytes } from 'node:crypto'
import { api, ApiError, type Settings } from '@tidegate/contract'
import {
  accessTokens,
  auditEvents,
  automationTokens,
  type Db,
  pushSubscriptions,
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
/** The last request is recorded once a minute, so idle times can be off by this much. */
const LAST_SEEN_INTERVAL_MS = MINUTE_MS

/** Limits for accepted sessions, independent of their stored expiry. */
export function sessionLimits(settings: Settings, now: Date): SessionLimits {
  const { 'security.session_days': days, 'security.session_idle_minutes': idleMinutes } = settings
  return {
    now,
    createdAfter: new Date(now.getTime() - days * DAY_MS),
    seenAfter: idleMinutes === 0 ? null : new Date(now.getTime() - idleMinutes * MINUTE_MS - LAST_SEEN_INTERVAL_MS),
  }
}

/** Latest end of a session. */
export function sessionEnd(settings: Settings, session: Pick<SessionRow, 'created_at' | 'expires_at'>): Date {
  const end = session.created_at.getTime() + settings['security.session_days'] * DAY_MS
  return new Date(Math.min(end, session.expires_at.getTime()))
}

/** The session of a request by its stored hash; the id itself exists only in the cookie. */
export function sessionHashIn(vault: Vault, cookies: Readonly<Record<string, string | undefined>>): string | undefined {
  const hostId = cookies[hostCookieName(SESSION_COOKIE)]
  if (hostId) return sessionHash(vault, hostId, { isSecure: true })
  const id = cookies[SESSION_COOKIE]
  return id ? sessionHash(vault, id, { isSecure: false }) : undefined
}

/** Differs by cookie name: a sibling host can set the plain name, but cannot fake a session that began over https. */
function sessionHash(vault: Vault, id: string, { isSecure }: Pick<Origin, 'isSecure'>): string {
  return vault.keyedHash('session', isSecure ? `host:${id}` : id)
}

type InsertDeps = Pick<Deps, 'db' | 'vault' | 'now' | 'catalog'>

/** The user a session belongs to. */
interface SessionOwner {
  id: number
  /** The verified password hash, which must still be current; undefined for other login methods. */
  passwordHash?: string | null
  /** Time of the last re-authentication when the session replaces another; otherwise now. */
  reauthenticatedAt?: Date | undefined
  /** Time of the last second factor, if any. */
  factorAt?: Date | null | undefined
}

/** Starts a session and sets its cookie; false when the user may no longer log in. */
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

/** Returns the id of a new session for the cookie. A login counts as re-authentication. */
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

/** The browser of the session also stops receiving push notifications. */
export async function endSession(db: Db, hash: string): Promise<void> {
  await sessions.remove(db, hash)
  await pushSubscriptions.removeOfSession(db, hash)
}

export function clearSessionCookie(reply: FastifyReply): void {
  clearSiteCookie(reply, SESSION_COOKIE)
}

export type SessionDeps = Pick<Deps, 'db' | 'vault' | 'now' | 'catalog' | 'authFailures'>

/** `password`, `passkey`, or the name of an OAuth provider. */
export type LoginMethod = 'password' | 'passkey' | api.SignInServiceName

export interface LoginContext {
  origin: Origin
  reply: FastifyReply
}

interface CompletedLogin {
  user: UserRow
  /** The verified password hash, if any; it must still be current. */
  passwordHash?: string | null
  details: { method: LoginMethod; second?: api.SecondFactorNeeded['methods'][number] }
  /** Consumes the factors in the transaction of the session; throws when they were already used. */
  consume?(transaction: Db): Promise<void>
}

/** Opens the session of a complete login and records it. Undefined when the user may not log in. */
export async function openSession(
  deps: SessionDeps,
  { user, passwordHash, details, consume }: CompletedLogin,
  { origin, reply }: LoginContext,
): Promise<api.User | undefined> {
  checkAdminAddress(deps, user, origin)
  const hasFactor = details.method === 'passkey' || details.second !== undefined
  const owner = { id: user.id, passwordHash, factorAt: hasFactor ? deps.now() : null }
  const id = await deps.db.transaction().execute(async (transaction) => {
    // First, because it locks the user: removing factors locks the user before the factors too.
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

/** Explains why a user with correct credentials cannot log in. */
export async function rejectInactiveUser({ db }: Pick<Deps, 'db'>, userId: number): Promise<void> {
  const user = await users.findById(db, userId)
  if (!user || user.deleted_at) throw new ApiError('user_deregistered')
  if (user.status !== api.USER_STATUS.active) throw new ApiError('user_banned')
}

/**
 * Revokes all credentials that manage an account: sessions, the system access token and automation tokens. Used for new
 * passwords, bans, role changes and logging out everywhere. Push notifications end too, because a stolen session could
 * have subscribed a browser. API tokens stay valid. A change notification closes open streams on every node.
 */
export async function revokeAccess(transaction: Db, userId: number): Promise<void> {
  await sessions.removeAllOf(transaction, userId)
  await accessTokens.remove(transaction, userId)
  await automationTokens.removeAllOf(transaction, userId)
  await pushSubscriptions.removeAllOf(transaction, userId)
}
