import {
  api,
  changesState,
  pathParameters,
  ApiError,
  type BodyOf,
  type Endpoint,
  type Language,
  type QueryOf,
  type ReplyOf,
} from '@tidegate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireFactorReauth, requireReauth } from './auth/reauthenticate.ts'
import type { Deps } from './deps.ts'
import type { Actor, Origin } from './http/actor.ts'
import { withIdempotency } from './http/idempotency.ts'
import type { ApiRateLimit } from './api-rate-limit.ts'
import { authenticate, authenticateOptional, findBySession } from './auth/authenticate.ts'
import { takeCriticalLimit } from './http/rate-limits.ts'
import { rejectOnDemoSite, requireSameOrigin } from './http/request-checks.ts'
import { bodyLimitOf, readJsonBody, requestLanguage } from './http/read-request.ts'

/** A request that was validated against its endpoint. */
export interface EndpointRequest<E extends Endpoint> {
  /** Undefined only for endpoints without required login. */
  actor: E['access'] extends 'user' | 'admin' | 'root' ? Actor : Actor | undefined
  /** Numeric ids of the path. */
  params: Record<string, number>
  /** Other path parameters. */
  names: Record<string, string>
  query: QueryOf<E>
  body: BodyOf<E>
  origin: Origin
  request: FastifyRequest
  reply: FastifyReply
}

/** Handlers without a reply return nothing. */
type VoidIfUndefined<Reply> = Reply extends undefined ? void : Reply

export type Serve = <const E extends Endpoint>(
  endpoint: E,
  handler: (call: EndpointRequest<E>) => VoidIfUndefined<ReplyOf<E>> | Promise<VoidIfUndefined<ReplyOf<E>>>,
) => void

interface ServeDeps extends Pick<Deps, 'db' | 'vault' | 'now' | 'catalog' | 'limiter' | 'authFailures'> {
  app: FastifyInstance
  originOf(request: FastifyRequest): Origin
  rateLimit: ApiRateLimit
}

/** Binds endpoints to handlers: rate limits, authentication, validation and the envelope. */
export function createServe({ app, originOf, rateLimit, ...deps }: ServeDeps): Serve {
  /** Pages of logged-in users also send requests that need no login. */
  const confirmSession = async (request: FastifyRequest) => {
    const found = await findBySession(deps, request, { background: true })
    if (found) await rateLimit.confirm(request, { id: found.user.id, sessionHash: found.sessionHash })
  }
  return (endpoint, handler) => {
    app.route({
      method: endpoint.method,
      bodyLimit: bodyLimitOf(endpoint),
      url: endpoint.path.replace(
        /\{(\w+)\}/g,
        (_, name: string) => `:${name}(${isId(name) ? '^\\d+$' : '^[0-9a-f]+$'})`,
      ),
      handler: async (request, reply) => {
        const origin = originOf(request)
        if (endpoint.sameOriginOnly) requireSameOrigin(request)
        if (endpoint.critical) await takeCriticalLimit(deps, endpoint, origin)
        const actor = await authenticateRequest(deps, endpoint, request, origin)
        if (actor) await rateLimit.confirm(request, actor)
        else if (rateLimit.isUnconfirmed(request)) await confirmSession(request)
        if (actor) rejectChangeOnDemoSite(deps, endpoint, actor)
        if (actor && endpoint.proof) await requireReauth(deps, actor, endpoint.proof)
        if (actor && endpoint.needsFactor) await requireFactorReauth(deps, actor)
        const run = async () => {
          const data: unknown = await handler({
            actor: actor as never,
            params: readIds(endpoint, request),
            names: readNames(endpoint, request),
            query: endpoint.query?.parse(request.query) as never,
            body: endpoint.body?.parse(readJsonBody(request) ?? {}) as never,
            origin: actor?.automation ? { ...origin, tokenName: actor.automation.name } : origin,
            request,
            reply,
          })
          return reply.sent ? undefined : toEnvelope(endpoint, data, requestLanguage(deps, request))
        }
        const response = await withIdempotency(deps, { endpoint, actor, request, reply }, run)
        return reply.sent ? reply : reply.send(response)
      },
    })
  }
}

async function authenticateRequest(
  deps: Pick<Deps, 'db' | 'vault' | 'now' | 'catalog' | 'authFailures'>,
  endpoint: Endpoint,
  request: FastifyRequest,
  origin: Origin,
) {
  const { access } = endpoint
  if (access === 'public') return undefined
  if (access === 'visitor') return authenticateOptional(deps, request, { endpoint, origin })
  return authenticate(deps, request, { endpoint: { ...endpoint, access }, origin })
}

/** On demo sites only the super admin can change data. Logging out is allowed. */
function rejectChangeOnDemoSite({ catalog }: Pick<Deps, 'catalog'>, endpoint: Endpoint, actor: Actor): void {
  if (!changesState(endpoint) || endpoint === api.logout) return
  rejectOnDemoSite({ catalog }, actor)
}

/** The route matches digits only; numbers above the safe range are rejected. */
function readIds(endpoint: Endpoint, request: FastifyRequest): Record<string, number> {
  const values = request.params as Record<string, string>
  return Object.fromEntries(
    idsOf(endpoint).map((name) => {
      const id = Number(values[name])
      if (!Number.isSafeInteger(id)) throw new ApiError('invalid_params')
      return [name, id]
    }),
  )
}

function readNames(endpoint: Endpoint, request: FastifyRequest): Record<string, string> {
  const values = request.params as Record<string, string>
  const names = pathParameters(endpoint.path).filter((name) => !isId(name))
  return Object.fromEntries(names.map((name) => [name, values[name]!]))
}

function idsOf(endpoint: Endpoint): string[] {
  return pathParameters(endpoint.path).filter(isId)
}

function isId(name: string): boolean {
  return name === 'id'
}

/** Parsing the reply drops fields that are not in the contract, so columns cannot leak. */
function toEnvelope(endpoint: Endpoint, data: unknown, language: Language): unknown {
  const checked = endpoint.reply.parse(data)
  if (endpoint.bare) return checked
  const message = endpoint.done?.[language] ?? ''
  return checked === undefined ? { success: true, message } : { success: true, message, data: checked }
}
