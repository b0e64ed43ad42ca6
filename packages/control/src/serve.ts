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
import { requireFactor, requireProof } from './auth/reauthenticate.ts'
import type { Deps } from './deps.ts'
import type { Actor, Origin } from './http/actor.ts'
import { answerOnce } from './http/idempotency.ts'
import type { ApiBudget } from './api-rate-limit.ts'
import { authenticate, authenticateVisitor, findBySession } from './auth/authenticate.ts'
import { spendCriticalBudget } from './http/rate-limits.ts'
import { refuseChangesOnDemoSite, refuseOtherOrigins } from './http/request-checks.ts'
import { bodyLimitOf, readJsonBody, requestLanguage } from './http/read-request.ts'

/** What a handler gets: everything already checked against the endpoint. */
export interface ApiCall<E extends Endpoint> {
  /** Undefined only where the endpoint lets anonymous callers in. */
  actor: E['access'] extends 'user' | 'admin' | 'root' ? Actor : Actor | undefined
  /** Ids in the path. */
  params: Record<string, number>
  /** Other names in the path. */
  words: Record<string, string>
  query: QueryOf<E>
  body: BodyOf<E>
  origin: Origin
  request: FastifyRequest
  reply: FastifyReply
}

/** An operation without an answer may simply end. */
type MaybeNothing<Reply> = Reply extends undefined ? void : Reply

export type Serve = <const E extends Endpoint>(
  endpoint: E,
  handler: (call: ApiCall<E>) => MaybeNothing<ReplyOf<E>> | Promise<MaybeNothing<ReplyOf<E>>>,
) => void

interface ServeDeps extends Pick<Deps, 'db' | 'vault' | 'now' | 'catalog' | 'limiter' | 'authFailures'> {
  app: FastifyInstance
  originOf(request: FastifyRequest): Origin
  budget: ApiBudget
}

/** Binds endpoints of the contract to operations: limits, authentication, validation and the envelope happen here. */
export function createServe({ app, originOf, budget, ...deps }: ServeDeps): Serve {
  /** Pages of a logged-in user also send requests that need no login. */
  const confirmSession = async (request: FastifyRequest) => {
    const found = await findBySession(deps, request, { background: true })
    if (found) await budget.confirm(request, { id: found.user.id, sessionHash: found.sessionHash })
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
        if (endpoint.sameOriginOnly) refuseOtherOrigins(request)
        if (endpoint.critical) await spendCriticalBudget(deps, endpoint, origin)
        const actor = await identify(deps, endpoint, request, origin)
        if (actor) await budget.confirm(request, actor)
        else if (budget.isOpen(request)) await confirmSession(request)
        if (actor) refuseOnDemoSite(deps, endpoint, actor)
        if (actor && endpoint.proof) await requireProof(deps, actor, endpoint.proof)
        if (actor && endpoint.needsFactor) await requireFactor(deps, actor)
        const act = async () => {
          const data: unknown = await handler({
            actor: actor as never,
            params: readIds(endpoint, request),
            words: readWords(endpoint, request),
            query: endpoint.query?.parse(request.query) as never,
            body: endpoint.body?.parse(readJsonBody(request) ?? {}) as never,
            origin: actor?.automation ? { ...origin, tokenName: actor.automation.name } : origin,
            request,
            reply,
          })
          return reply.sent ? undefined : answer(endpoint, data, requestLanguage(deps, request))
        }
        const answered = await answerOnce(deps, { endpoint, actor, request, reply }, act)
        return reply.sent ? reply : reply.send(answered)
      },
    })
  }
}

async function identify(
  deps: Pick<Deps, 'db' | 'vault' | 'now' | 'catalog' | 'authFailures'>,
  endpoint: Endpoint,
  request: FastifyRequest,
  origin: Origin,
) {
  const { access } = endpoint
  if (access === 'public') return undefined
  if (access === 'visitor') return authenticateVisitor(deps, request, { endpoint, origin })
  return authenticate(deps, request, { endpoint: { ...endpoint, access }, origin })
}

/** A demo is for looking: only its super admin changes anything. Logging out is not a change. */
function refuseOnDemoSite({ catalog }: Pick<Deps, 'catalog'>, endpoint: Endpoint, actor: Actor): void {
  if (!changesState(endpoint) || endpoint === api.logout) return
  refuseChangesOnDemoSite({ catalog }, actor)
}

/** The route matches digits only; a number too long to be an id names nothing. */
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

function readWords(endpoint: Endpoint, request: FastifyRequest): Record<string, string> {
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

/** Parsing the reply drops every field the contract does not name, so a row can never leak a column. */
function answer(endpoint: Endpoint, data: unknown, language: Language): unknown {
  const checked = endpoint.reply.parse(data)
  if (endpoint.bare) return checked
  const message = endpoint.done?.[language] ?? ''
  return checked === undefined ? { success: true, message } : { success: true, message, data: checked }
}
