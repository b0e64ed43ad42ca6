import { ApiError, candidateGroups, type UsageReport } from '@tidegate/contract'
import type { RequestHead } from '@tidegate/dialects'
import { completionTokens, promptTokens, type Usage } from '@tidegate/pricing'
import { UpstreamFailure } from '@tidegate/providers'
import type { ApiRequest, KnownRequest } from '../http/api-request.ts'
import type { OutputLimit } from './reserve-credit.ts'
import type { Caller, RouteDecision, AttemptRecord } from '../ports/index.ts'
import type { Route } from '../route/route.ts'
import type { ModelRequestEvent, Ports, StepTimes } from '../ports/index.ts'
import { routeName } from '../route/model-names.ts'

/** The attempt that served a request, with the fields that its price and its log row need. */
export interface BilledAttempt {
  readonly route: Route
  /** Attempts in order, this one last. */
  readonly tried: readonly AttemptRecord[]
  /** Milliseconds since 1970. */
  readonly firstContentAt: number
  readonly reasoningEffort?: string | undefined
  /** Options that were removed because they have no price. */
  readonly stripped?: readonly string[]
  /** What the provider's protocol or model does not accept. */
  readonly dropped?: readonly string[]
  /** The service tier that the provider's headers name. */
  readonly servedTier?: string
  readonly opening: { readonly kind: 'stream' | 'whole' }
}

/** A request that is to be billed. */
export interface RequestRecord {
  readonly incoming: Pick<ApiRequest, 'startedAt' | 'clientAddress'> &
    Partial<Pick<ApiRequest, 'revokedBy' | 'batchLine'>> & { readonly writer?: Pick<ApiRequest['writer'], 'isClosed'> }
  readonly caller: Pick<Caller, 'username' | 'tokenName' | 'userSetting'>
  readonly group: string
  readonly request: Pick<RequestHead, 'model' | 'dialect'>
  readonly attempt: BilledAttempt
  readonly decision: RouteDecision
  readonly timing: StepTimes
  readonly outputLimit?: OutputLimit | undefined
  /** Reported usage that is not billed, because the model cannot have used it. */
  readonly implausible?: UsageReport | undefined
  /** What the client's protocol cannot express of the response. */
  readonly droppedForClient?: readonly string[] | undefined
  /** The stream ended early. */
  readonly isInterrupted?: boolean
}

type ObserverPorts = Pick<Ports, 'observe' | 'now'>

/** Emits the event of a request that a model served. */
export function recordSuccess(
  { observe, now }: ObserverPorts,
  incoming: ApiRequest,
  served: RequestRecord,
  usage: Usage,
): void {
  const { request, attempt, timing } = served
  const stream = attempt.opening.kind === 'stream'
  observe?.({
    ...common({ now }, incoming, request, timing),
    stream,
    outcome: 'served',
    attempts: attempt.tried,
    ...(stream && { firstTokenMs: attempt.firstContentAt - incoming.startedAt }),
    inputTokens: promptTokens(usage),
    outputTokens: completionTokens(usage),
  })
}

/** Step times for a log row. They are measured exactly, because only logged ones need to be short. */
export function roundTimes(timing: StepTimes): StepTimes {
  return Object.fromEntries(Object.entries(timing).map(([step, milliseconds]) => [step, round(milliseconds)]))
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100
}

/** Emits the event of a request that failed, unless the client caused the failure or the model is not known yet. */
export function recordFailure(ports: ObserverPorts, incoming: ApiRequest, error: unknown): void {
  const { request, timing = {} } = incoming.known
  if (!request || incoming.writer.isClosed || !isServerFault(error) || !isOffered(incoming.known)) return
  ports.observe?.({
    ...common(ports, incoming, request, timing),
    stream: request.stream,
    outcome: 'failed',
    attempts: [],
    inputTokens: 0,
    outputTokens: 0,
  })
}

function common(
  { now }: Pick<Ports, 'now'>,
  { requestId, startedAt }: ApiRequest,
  { model, dialect }: Pick<RequestHead, 'model' | 'dialect'>,
  timing: StepTimes,
): Pick<ModelRequestEvent, 'kind' | 'requestId' | 'startedAt' | 'milliseconds' | 'model' | 'dialect' | 'timing'> {
  return { kind: 'model-request', requestId, startedAt, milliseconds: now() - startedAt, model, dialect, timing }
}

/** Statuses below 500 that are about the channel's account, not about the request. */
const CHANNEL_FAULT_STATUSES = new Set([401, 402, 403, 408, 429])

function isServerFault(error: unknown): boolean {
  if (error instanceof UpstreamFailure)
    return error.kind !== 'aborted' && (error.status >= 500 || CHANNEL_FAULT_STATUSES.has(error.status))
  return !(error instanceof ApiError) || error.status >= 500
}

/** Names that no channel serves must not fill the metrics. */
function isOffered({ catalog, caller, group = '', model = '' }: KnownRequest): boolean {
  if (!catalog || !caller) return false
  if (Object.hasOwn(catalog.settings.global_model_mapping.mapping, model)) return true
  const groups = candidateGroups(catalog.settings, caller.userGroup, group)
  return groups.some((name) => catalog.channelsFor(name, routeName(catalog, name, model).routed).length > 0)
}
