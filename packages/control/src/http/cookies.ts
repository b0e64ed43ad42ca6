import type { FastifyReply } from 'fastify'
import type { Origin } from './actor.ts'

type Cookies = Readonly<Record<string, string | undefined>>

/** Sibling hosts cannot set cookies with this prefix, and browsers send them over https only. */
const HOST_PREFIX = '__Host-'
const ATTRIBUTES = { path: '/', httpOnly: true, sameSite: 'strict' } as const

export function hostCookieName(name: string): string {
  return HOST_PREFIX + name
}

/** Sets a cookie that scripts and other sites cannot read. */
export function setSiteCookie(
  reply: FastifyReply,
  { isSecure }: Pick<Origin, 'isSecure'>,
  { name, value, maxAge }: { name: string; value: string; maxAge: number },
): void {
  void reply.setCookie(nameFor(name, isSecure), value, { ...ATTRIBUTES, secure: isSecure, maxAge })
}

export function readSiteCookie(
  cookies: Cookies,
  { isSecure }: Pick<Origin, 'isSecure'>,
  name: string,
): string | undefined {
  return cookies[nameFor(name, isSecure)]
}

export function clearSiteCookie(reply: FastifyReply, name: string): void {
  void reply.clearCookie(name, ATTRIBUTES)
  void reply.clearCookie(hostCookieName(name), { ...ATTRIBUTES, secure: true })
}

function nameFor(name: string, isSecure: boolean): string {
  return isSecure ? hostCookieName(name) : name
}
