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

/** Starts a session with a fresh id and gives the cookie to the visitor. */
export async function startSession(
  { db, vault, now, catalog }: Pick<Deps, 'db' | 'vault' | 'now' | 'catalog'>,
  userId: number,
  origin: Origin,
  reply: FastifyReply,
): Promise<void> {
  const id = randomBytes(32).toString('base64url')
  await sessions.insert(db, {
    id_hash: sessionHash(vault, id),
    user_id: userId,
    expires_at: new Date(now().getTime() + SESSION_SECONDS * 1000),
    client_ip: origin.clientIp,
    user_agent: origin.userAgent,
  })
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
