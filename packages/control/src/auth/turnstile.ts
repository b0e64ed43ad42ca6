import { ApiError } from '@tidegate/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import type { Origin } from '../http/actor.ts'
import { readOwnCookie, setOwnCookie } from '../http/cookies.ts'
import { isPassGood, newPass, PASS_SECONDS } from './human-pass.ts'
import { verifyToken } from './verify-token.ts'

const PASS_COOKIE = 'tidegate_human'

interface HumanCall {
  query: { turnstile?: string | undefined }
  origin: Origin
  request: FastifyRequest
  reply: FastifyReply
}

interface HumanCheck {
  /** False where each call needs a token of its own: an earlier pass is not taken, and none is given. */
  remember?: boolean
}

/**
 * Lets a call pass that a person makes, while the site asks for that. `actions` are the names that widgets on our screens
 * for this call go by.
 */
export async function checkHuman(
  deps: Pick<Deps, 'catalog' | 'site' | 'log' | 'vault' | 'now'>,
  { query, origin, request, reply }: HumanCall,
  actions: readonly string[],
  { remember = true }: HumanCheck = {},
): Promise<void> {
  const { vault, now } = deps
  if (!deps.catalog().settings.TurnstileCheckEnabled) return
  const { clientIp } = origin
  const pass = readOwnCookie(request.cookies, origin, PASS_COOKIE)
  if (remember && pass !== undefined && isPassGood(vault, pass, clientIp, now())) return
  if (query.turnstile === undefined) throw new ApiError('turnstile_empty')
  await verifyToken(deps, { token: query.turnstile, clientIp, actions })
  if (!remember) return
  setOwnCookie(reply, origin, { name: PASS_COOKIE, value: newPass(vault, clientIp, now()), maxAge: PASS_SECONDS })
}
