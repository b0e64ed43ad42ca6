import { ApiError, groupsToTry, type UsageReport } from '@tidegate/contract'
import type { RequestHead } from '@tidegate/dialects'
import { completionTokens, promptTokens, type Usage } from '@tidegate/pricing'
import { UpstreamFailure } from '@tidegate/providers'
import type { Call, KnownRequest } from '../http/api-request.ts'
import type { OutputLimit } from './reserve-credit.ts'
import type { Caller, RouteDecision, TriedRoute } from '../ports/index.ts'
import type { Route } from '../route/route.ts'
import type { ConversationEvent, Ports, StepTimes } from '../ports/index.ts'
import { routeName } from '../route/model-names.ts'

/** The attempt that served a request, as far as its price and its log row need it. */
export interface ServingAttempt {
  readonly route: Route
  /** Attempts in order, this one last. */
  readonly tried: readonly TriedRoute[]
  /** Milliseconds since 1970. */
  readonly firstContentAt: number
  readonly reasoningEffort?: string | undefined
  /** Options that were removed because they have no price. */
  readonly stripped?: readonly string[]
  /** The service tier that the provider's headers name. */
  readonly servedTier?: string
  readonly opening: { readonly kind: 'stream' | 'whole' }
}

/** A request whose price is due. */
export interface Served {
  readonly call: Pick<Call, 'startedAt' | 'clientAddress'> &
    Partial<Pick<Call, 'revokedBy'>> & { readonly reply?: Pick<Call['reply'], 'gone'> }
  readonly caller: Caller
  readonly group: string
  readonly request: Pick<RequestHead, 'model' | 'dialect'>
  readonly attempt: ServingAttempt
  readonly decision: RouteDecision
  readonly timing: StepTimes
  readonly outputLimit?: OutputLimit | undefined
  /** Reported usage that is not billed, because the model cannot have used it. */
  readonly implausible?: UsageReport | undefined
}

type Teller = Pick<Ports, 'observe' | 'now'>

/** Says that a model answered. */
export function tellServed({ observe, now }: Teller, call: Call, served: Served, usage: Usage): void {
  const { request, attempt, timing } = served
  const stream = attempt.opening.kind === 'stream'
  observe?.({
    ...common({ now }, call, request, timing),
    stream,
    outcome: 'served',
    attempts: attempt.tried,
    ...(stream && { firstTokenMs: attempt.firstContentAt - call.startedAt }),
    inputTokens: promptTokens(usage),
    outputTokens: completionTokens(usage),
  })
}

/** Says that a model did not answer, unless that was its caller's own doing or no model is known yet. */
export function tellFailed(teller: Teller, call: Call, error: unknown): void {
  const { request, timing = {} } = call.known
  if (!request || call.reply.gone || !isSitesFault(error) || !isOffered(call.known)) return
  teller.observe?.({
    ...common(teller, call, request, timing),
    stream: request.stream,
    outcome: 'failed',
    attempts: [],
    inputTokens: 0,
    outputTokens: 0,
  })
}

function common(
  { now }: Pick<Ports, 'now'>,
  { requestId, startedAt }: Call,
  { model, dialect }: Pick<RequestHead, 'model' | 'dialect'>,
  timing: StepTimes,
): Pick<ConversationEvent, 'kind' | 'requestId' | 'startedAt' | 'milliseconds' | 'model' | 'dialect' | 'timing'> {
  return { kind: 'conversation', requestId, startedAt, milliseconds: now() - startedAt, model, dialect, timing }
}

/** Statuses below 500 with which a vendor refuses us rather than the call. */
const OURS = new Set([401, 402, 403, 408, 429])

function isSitesFault(error: unknown): boolean {
  if (error instanceof UpstreamFailure)
    return error.kind !== 'aborted' && (error.status >= 500 || OURS.has(error.status))
  return !(error instanceof ApiError) || error.status >= 500
}

/** Names that no channel serves must not fill the metrics. */
function isOffered({ catalog, caller, group = '', model = '' }: KnownRequest): boolean {
  if (!catalog || !caller) return false
  if (Object.hasOwn(catalog.settings.global_model_mapping.mapping, model)) return true
  const groups = groupsToTry(catalog.settings, caller.userGroup, group)
  return groups.some((name) => catalog.channelsFor(name, routeName(catalog, name, model).routed).length > 0)
}
