import { ApiError } from '@tidegate/contract'
import { DialectError } from '@tidegate/dialects'
import type { ModelPrice, Usage } from '@tidegate/pricing'
import { admit, type RequestKind, type RequestSummary } from '../admit/admit.ts'
import { checkAccess, checkName } from '../admit/access.ts'
import type { SessionAffinity } from '../health/session-affinity.ts'
import type { ApiRequest } from '../http/api-request.ts'
import type { Endpoint } from '../http/endpoints.ts'
import { readJson } from '../http/read-body.ts'
import { operationKind } from '../operations/serve-operation.ts'
import { readOperation } from '../operations/read-operation.ts'
import { expectedUsage } from '../operations/operation-usage.ts'
import type { Catalog, Ports, Caller, ShadowDecision } from '../ports/index.ts'
import { describeError } from '../http/error-response.ts'
import { ChatKind } from '../chat/serve-chat.ts'
import type { Router } from '../route/route-plan.ts'
import { dryRunCredit } from './dry-run-ports.ts'

export type DryRunEndpoint = Extract<Endpoint, { kind: 'chat' | 'operation' }>

export interface DryRunDeps {
  /** With a limiter that has separate counters. */
  readonly ports: Ports
  /** With a separate rotation and session affinity: those of real requests stay as they are. */
  readonly router: Router
  readonly affinity: SessionAffinity
}

interface ShadowRequest {
  readonly endpoint: DryRunEndpoint
  readonly caller: Caller
  readonly catalog: Catalog
}

/** A kind of request, how its body is read, and its usage where it is not priced by tokens. */
interface ShadowKind<R extends RequestSummary> {
  readonly kind: RequestKind<R>
  read(): Promise<R>
  fixedUsage(request: R, promptTokens: number, price: ModelPrice): Usage | undefined
}

/** Evaluates a copy like a request, up to the point where a provider would be called. */
export async function dryRun(deps: DryRunDeps, incoming: ApiRequest, copy: ShadowRequest): Promise<ShadowDecision> {
  const { endpoint } = copy
  let reserve = 0
  const credit = dryRunCredit(deps.ports.accounts, (amount) => (reserve = amount))
  const ports: Ports = { ...deps.ports, credit, catalog: () => copy.catalog }
  const dry = { ...deps, ports }
  try {
    const decided =
      endpoint.kind === 'chat'
        ? await evaluate(dry, incoming, copy, {
            kind: new ChatKind(ports, incoming, endpoint),
            async read() {
              const { text, json } = await readJson(incoming.request)
              return incoming.dialect.readRequest(text, endpoint.path, json)
            },
            fixedUsage: () => undefined,
          })
        : await evaluate(dry, incoming, copy, {
            kind: operationKind(ports, incoming, endpoint),
            read: () => readOperation(incoming, endpoint),
            fixedUsage: (request, promptTokens, price) =>
              request.work.kind === 'tokens' ? undefined : expectedUsage(request, promptTokens, price),
          })
    return { ...decided, reserve }
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof DialectError)) throw error
    const { model = '', group = '', promptTokens = 0, request } = incoming.known
    const refusal = String(describeError(error, 'en').error.code)
    const nothing = { channelId: null, upstreamModel: '', pricing: null }
    return { model, isStream: request?.stream ?? false, group, promptTokens, reserve, refusal, ...nothing }
  }
}

/** The body is read first, unlike that of a request: a rejection must have a model to be found in the other log. */
async function evaluate<R extends RequestSummary>(
  { ports, router, affinity }: DryRunDeps,
  incoming: ApiRequest,
  { caller, catalog }: ShadowRequest,
  { kind, read, fixedUsage }: ShadowKind<R>,
): Promise<Omit<ShadowDecision, 'reserve'>> {
  const request = await read()
  incoming.known.request = request
  checkName(request.model)
  incoming.known.model = request.model
  await using admission = await admit({ ports, router }, incoming, {
    countsPrompt: kind.countsPrompt,
    prompt: (given) => kind.prompt(given),
    routeOptions: (given, sender) => kind.routeOptions(given, sender),
    reserve: (need) => kind.reserve(need),
    async authenticate() {
      const group = checkAccess(caller, {}, incoming, catalog.settings)
      incoming.known.group = group
      return { caller, group, readRequest: async () => request }
    },
  })
  const { promptTokens, plan, rateLimits } = admission
  const { channel, group, model, price, conversation, routed } = plan.next()!
  if (conversation !== undefined) affinity.remember(conversation, { channelId: channel.id, keyId: '', routed })
  const usage = fixedUsage(request, promptTokens, price)
  await rateLimits?.commit(promptTokens)
  return {
    model: request.model,
    isStream: request.stream,
    group,
    promptTokens,
    channelId: channel.id,
    upstreamModel: model,
    pricing: { price, ...(usage && { usage }) },
    refusal: null,
  }
}
