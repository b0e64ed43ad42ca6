import { ApiError } from '@tidegate/contract'
import { DialectError } from '@tidegate/dialects'
import type { ModelPrice, Usage } from '@tidegate/pricing'
import { admit, type RequestKind, type RequestSummary } from '../admit/admit.ts'
import { checkAccess, checkName } from '../admit/access.ts'
import type { Affinity } from '../health/session-affinity.ts'
import type { Call } from '../http/api-request.ts'
import type { Endpoint } from '../http/endpoints.ts'
import { readJson } from '../http/read-body.ts'
import { operationKind } from '../operations/serve-operation.ts'
import { readOperation } from '../operations/read-operation.ts'
import { expectedOf } from '../operations/operation-usage.ts'
import type { Catalog, Ports, Caller, ShadowDecision } from '../ports/index.ts'
import { describeFailure } from '../http/error-response.ts'
import { chatKind } from '../chat/serve-chat.ts'
import type { Router } from '../route/route-plan.ts'
import { dryRunCredit } from './dry-run-ports.ts'

export type DryRunEndpoint = Extract<Endpoint, { kind: 'conversation' | 'operation' }>

export interface DryRunDeps {
  /** With a limiter that has counters of its own. */
  readonly ports: Ports
  /** With turns and session affinity of its own: those of real requests stay as they are. */
  readonly router: Router
  readonly affinity: Affinity
}

interface Copy {
  readonly endpoint: DryRunEndpoint
  readonly caller: Caller
  readonly catalog: Catalog
}

/** A kind of request, how its body is read, and what it costs where it is not sold by tokens. */
interface CopiedKind<R extends RequestSummary> {
  readonly kind: RequestKind<R>
  read(): Promise<R>
  fixedUsage(request: R, promptTokens: number, price: ModelPrice): Usage | undefined
}

/** Decides about a copy as about a request, up to the moment a provider would be called. */
export async function dryRun(deps: DryRunDeps, call: Call, copy: Copy): Promise<ShadowDecision> {
  const { endpoint } = copy
  let reserve = 0
  const credit = dryRunCredit(deps.ports.accounts, (amount) => (reserve = amount))
  const ports: Ports = { ...deps.ports, credit, catalog: () => copy.catalog }
  const dry = { ...deps, ports }
  try {
    const decided =
      endpoint.kind === 'conversation'
        ? await evaluate(dry, call, copy, {
            kind: chatKind(ports, call, endpoint),
            async read() {
              const { text, tree } = await readJson(call.request)
              return call.dialect.readRequest(text, endpoint.path, tree)
            },
            fixedUsage: () => undefined,
          })
        : await evaluate(dry, call, copy, {
            kind: operationKind(ports, call, endpoint),
            read: () => readOperation(call, endpoint),
            fixedUsage: (request, promptTokens, price) =>
              request.work.kind === 'tokens' ? undefined : expectedOf(request, promptTokens, price),
          })
    return { ...decided, reserve }
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof DialectError)) throw error
    const { model = '', group = '', promptTokens = 0, isStream = false } = call.known
    const refusal = String(describeFailure(error, 'en').error.code)
    const nothing = { channelId: null, upstreamModel: '', pricing: null }
    return { model, isStream, group, promptTokens, reserve, refusal, ...nothing }
  }
}

/** The body is read first, unlike that of a request: a rejection must have a model to be found in the other log. */
async function evaluate<R extends RequestSummary>(
  { ports, router, affinity }: DryRunDeps,
  call: Call,
  { caller, catalog }: Copy,
  { kind, read, fixedUsage }: CopiedKind<R>,
): Promise<Omit<ShadowDecision, 'reserve'>> {
  const request = await read()
  call.known.isStream = request.stream
  checkName(request.model)
  call.known.model = request.model
  await using admission = await admit({ ports, router }, call, {
    ...kind,
    async authenticate() {
      const group = checkAccess(caller, {}, call, catalog.settings)
      call.known.group = group
      return { caller, group, readRequest: async () => request }
    },
  })
  const { promptTokens, routes, slots } = admission
  const { channel, group, model, price, conversation, routed } = routes.next()!
  if (conversation !== undefined) affinity.keep(conversation, { channelId: channel.id, keyId: '', routed })
  const usage = fixedUsage(request, promptTokens, price)
  await slots?.keep(promptTokens)
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
