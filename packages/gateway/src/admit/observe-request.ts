import { ApiError, candidateGroups, type UsageReport } from '@tidegate/contract'
import type { RequestHead } from '@tidegate/dialects'
import { completionTokens, promptTokens, type Usage } from '@tidegate/pricing'
import { UpstreamFailure } from '@tidegate/providers'
import type { ApiRequest, KnownRequest } from '../http/api-request.ts'
import type { Endpoint } from '../http/endpoints.ts'
import type { OutputLimit } from './reserve-credit.ts'
import type { Caller, RouteDecision, AttemptRecord } from '../ports/index.ts'
import type { Route } from '../route/route.ts'
import type { Ports, StepTimes } from '../ports/index.ts'
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
    Partial<Pick<ApiRequest, 'revokedBy' | 'batchLine' | 'endpoint' | 'request'>> & {
      readonly writer?: Pick<ApiRequest['writer'], 'isClosed'>
    }
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

/** What traces say about a request, under the names of its log row. Both are missing for most requests. */
export interface TraceFields {
  /** The kind of request, if it is not a chat: `gen_ai.operation.name` of OpenTelemetry. */
  readonly operation?: string
  /** The span of the client that the request belongs to, as the header of W3C Trace Context. */
  readonly traceparent?: string
}

const TRACEPARENT = /^[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

export function traceFields({ endpoint, request }: RequestRecord['incoming']): TraceFields | undefined {
  const operation = endpoint && operationOf(endpoint)
  const { traceparent } = request?.headers ?? {}
  const isTraced = typeof traceparent === 'string' && TRACEPARENT.test(traceparent)
  if (operation === undefined && !isTraced) return undefined
  return { ...(operation !== undefined && { operation }), ...(isTraced && { traceparent }) }
}

const TASK_OPERATIONS = { drawing: 'image_generation', music: 'music_generation', video: 'video_generation' }

function operationOf(endpoint: Endpoint): string | undefined {
  switch (endpoint.kind) {
    case 'operation':
      return endpoint.operation.replaceAll('-', '_')
    case 'realtime':
      return 'realtime'
    case 'task':
      return TASK_OPERATIONS[endpoint.action.task]
    case 'chat':
      if (endpoint.protocol === 'openai-completions') return 'text_completion'
      return endpoint.protocol.startsWith('gemini-') ? 'generate_content' : undefined
    default:
      return undefined
  }
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
  incoming: ApiRequest,
  { model, dialect }: Pick<RequestHead, 'model' | 'dialect'>,
  timing: StepTimes,
) {
  const { requestId, startedAt } = incoming
  const milliseconds = now() - startedAt
  const trace = traceFields(incoming)
  return { kind: 'model-request', requestId, startedAt, milliseconds, model, dialect, timing, ...trace } as const
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
