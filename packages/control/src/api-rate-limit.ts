import { createHash } from 'node:crypto'
import type { Budget } from '@tidegate/storage'
import type { FastifyRequest } from 'fastify'
import { cacheLimit } from '@tidegate/contract'
import { LRUCache } from 'lru-cache'
import { sessionHashIn } from './auth/sessions/sessions.ts'
import type { Deps } from './deps.ts'
import type { Actor, Origin } from './http/actor.ts'
import { addressLimits, rateLimitError } from './http/rate-limits.ts'

/** A known caller may send this many times the requests of an address: one console page sends about twenty. */
const KNOWN_CALLER_FACTOR = 10
/** How long an accepted credential counts as known. It only decides which limit a request counts against. */
const KNOWN_FOR_MS = 15 * 60_000
const MAX_KNOWN = 10_000

export interface ApiRateLimit {
  /** Counts a request before it is processed. */
  admit(request: FastifyRequest, origin: Pick<Origin, 'clientIp'>): Promise<void>
  /** The credential was accepted: counts the request against its caller instead of its address. */
  confirm(request: FastifyRequest, actor: Pick<Actor, 'id' | 'automation' | 'sessionHash'>): Promise<void>
  /** Whether the request has a credential that is not verified yet. */
  isUnconfirmed(request: FastifyRequest): boolean
}

/**
 * Rate limit of `/api`. Requests without a credential count against their address. Requests with a credential count
 * against the user or automation token, so that colleagues behind one address do not limit each other. Rejected
 * credentials count against the address in a separate limit.
 */
export function createApiRateLimit({
  limiter,
  site,
  vault,
  now,
}: Pick<Deps, 'limiter' | 'site' | 'vault' | 'now'>): ApiRateLimit {
  const { count: limit, windowSeconds } = site.apiLimit
  const known = new LRUCache<string, { caller: string; until: number }>(cacheLimit(MAX_KNOWN))
  /** What a request was charged before its credential is accepted. */
  const charged = new WeakMap<FastifyRequest, Budget[]>()

  const take = async (checks: Budget[]) => {
    const taken = await limiter.take(checks)
    if (!taken.allowed) throw rateLimitError(taken.retryAfterSeconds)
  }
  const budgetOf = (caller: string): Budget[] => [
    { key: `api:${caller}`, limit: limit * KNOWN_CALLER_FACTOR, windowSeconds },
  ]
  const knownCaller = (credential: string): string | undefined => {
    const entry = known.get(credential)
    return entry && entry.until > now().getTime() ? entry.caller : undefined
  }
  const remember = (credential: string, caller: string) => {
    known.set(credential, { caller, until: now().getTime() + KNOWN_FOR_MS })
  }

  return {
    async admit(request, { clientIp }) {
      if (limit === 0) return
      const credential = credentialOf(vault, request)
      const caller = credential === undefined ? undefined : knownCaller(credential)
      if (caller !== undefined) return take(budgetOf(caller))
      const purpose = credential === undefined ? 'api' : 'api-credentials'
      const checks = addressLimits(purpose, clientIp, { limit, windowSeconds })
      await take(checks)
      if (credential !== undefined) charged.set(request, checks)
    },
    isUnconfirmed: (request) => charged.has(request),
    async confirm(request, actor) {
      const checks = charged.get(request)
      // A request may also have a credential that was rejected.
      const credential = actor.sessionHash ?? authorizationOf(request)
      if (checks === undefined || credential === undefined) return
      const caller = actor.automation ? `token:${actor.automation.id}` : `user:${actor.id}`
      charged.delete(request)
      remember(credential, caller)
      await limiter.refund(checks)
      await take(budgetOf(caller))
    },
  }
}

/** The session or token of a request as a hash; undefined without one. */
function credentialOf(vault: Deps['vault'], { cookies, headers }: FastifyRequest): string | undefined {
  return sessionHashIn(vault, cookies) ?? authorizationOf({ headers })
}

function authorizationOf({ headers: { authorization } }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return authorization ? createHash('sha256').update(authorization).digest('base64url') : undefined
}
