import { randomBytes } from 'node:crypto'
import { sessions, type Db, type Vault } from '@tidegate/storage'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../deps.ts'
import type { Origin } from '../http/actor.ts'
import { clearOwnCookie, hostCookieName, setOwnCookie } from '../http/own-cookies.ts'

const SESSION_COOKIE = 'tidegate_session'
const SESSION_SECONDS = 30 * 24 * 60 * 60

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

type SessionDeps = Pick<Deps, 'db' | 'vault' | 'now'>

/** Whose session it is to be. */
export interface SessionOwner {
  id: number
  /** The password it rests on, which must still be the user's; left out where it rests on something else. */
  passwordHash?: string | null
  /** When the owner last re-authenticated, where the session replaces another; otherwise now. */
  provedAt?: Date | undefined
}

/** Starts a session with a fresh id and gives the cookie to the visitor; false when the user may not sign in any more. */
export async function startSession(
  deps: SessionDeps,
  owner: SessionOwner,
  origin: Origin,
  reply: FastifyReply,
): Promise<boolean> {
  const id = await insertSession(deps, owner, origin)
  if (id !== undefined) giveSessionCookie(reply, origin, id)
  return id !== undefined
}

/** The id of a new session, for the cookie. A login is proof of its owner as well. */
export async function insertSession(
  { db, vault, now }: SessionDeps,
  { id: userId, passwordHash, provedAt }: SessionOwner,
  origin: Origin,
): Promise<string | undefined> {
  const id = randomBytes(32).toString('base64url')
  const at = now()
  const session = {
    id_hash: sessionHash(vault, id, origin),
    user_id: userId,
    expires_at: new Date(at.getTime() + SESSION_SECONDS * 1000),
    client_ip: origin.clientIp,
    user_agent: origin.userAgent,
    proved_at: provedAt ?? at,
  }
  return (await sessions.insertIfAllowed(db, session, passwordHash)) ? id : undefined
}

export function giveSessionCookie(reply: FastifyReply, origin: Origin, id: string): void {
  setOwnCookie(reply, origin, { name: SESSION_COOKIE, value: id, maxAge: SESSION_SECONDS })
}

export async function endSession(db: Db, hash: string): Promise<void> {
  await sessions.remove(db, hash)
}

export function clearSessionCookie(reply: FastifyReply): void {
  clearOwnCookie(reply, SESSION_COOKIE)
}
