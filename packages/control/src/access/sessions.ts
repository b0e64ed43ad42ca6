import { randomBytes } from 'node:crypto'
import { sessions, type Db, type Vault } from '@tidegate/storage'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../deps.ts'
import type { Origin } from '../http/actor.ts'

export const SESSION_COOKIE = 'tidegate_session'
const SESSION_SECONDS = 30 * 24 * 60 * 60

/** The stored name of a session: the id itself exists only in the visitor's cookie. */
export function sessionHash(vault: Vault, id: string): string {
  return vault.keyedHash('session', id)
}

type SessionDeps = Pick<Deps, 'db' | 'vault' | 'now' | 'catalog'>

/** Whose session it is to be. */
export interface SessionOwner {
  id: number
  /** The password it rests on, which must still be the user's; left out where it rests on something else. */
  passwordHash?: string | null
}

/** Starts a session with a fresh id and gives the cookie to the visitor; false when the user may not sign in any more. */
export async function startSession(
  deps: SessionDeps,
  owner: SessionOwner,
  origin: Origin,
  reply: FastifyReply,
): Promise<boolean> {
  const id = await insertSession(deps, owner, origin)
  if (id !== undefined) giveSessionCookie(deps, reply, id)
  return id !== undefined
}

/** The id of a new session, for the cookie. A login is proof of its owner as well. */
export async function insertSession(
  { db, vault, now }: Pick<Deps, 'db' | 'vault' | 'now'>,
  { id: userId, passwordHash }: SessionOwner,
  origin: Origin,
): Promise<string | undefined> {
  const id = randomBytes(32).toString('base64url')
  const at = now()
  const session = {
    id_hash: sessionHash(vault, id),
    user_id: userId,
    expires_at: new Date(at.getTime() + SESSION_SECONDS * 1000),
    client_ip: origin.clientIp,
    user_agent: origin.userAgent,
    proved_at: at,
  }
  return (await sessions.insertIfAllowed(db, session, passwordHash)) ? id : undefined
}

export function giveSessionCookie({ catalog }: Pick<Deps, 'catalog'>, reply: FastifyReply, id: string): void {
  const secure = catalog().settings.ServerAddress.startsWith('https://')
  void reply.setCookie(SESSION_COOKIE, id, { ...COOKIE, secure, maxAge: SESSION_SECONDS })
}

export async function endSession(db: Db, hash: string): Promise<void> {
  await sessions.remove(db, hash)
}

export function clearSessionCookie(reply: FastifyReply): void {
  void reply.clearCookie(SESSION_COOKIE, COOKIE)
}

const COOKIE = { path: '/', httpOnly: true, sameSite: 'strict' } as const
