import { randomUUID } from 'node:crypto'
import { type CanonicalRequest, DIALECTS, type RequestHead } from '@tidegate/dialects'
import {
  type RequestAdaptation,
  chooseChatApi,
  type ChatApi,
  FAILURES,
  providerOf,
  type UpstreamExchange,
} from '@tidegate/providers'
import { type AttemptDeps, type BegunAttempt, type SuccessfulAttempt, runAttempts } from '../dispatch/run-attempts.ts'
import type { UpstreamAbort } from '../dispatch/upstream-abort.ts'
import type { ApiRequest } from '../http/api-request.ts'
import type { AttemptDeadlines, Catalog, Ports } from '../ports/index.ts'
import type { Route, RoutePlan } from '../route/route.ts'
import { yieldIfLarge } from '../tokens/yield-event-loop.ts'
import { isPassThrough, neverStreams, buildChatRequest } from './chat-body.ts'
import { openResponse, type OpenedResponse } from './first-content.ts'
import type { CanonicalSource } from './inline-media.ts'

/** A channel that began to respond, and the attempts before it. */
export interface ChatAttempt extends Omit<SuccessfulAttempt<OpenedAttempt>, 'response'> {
  readonly chatApi: ChatApi
  readonly opening: OpenedResponse
  readonly reasoningEffort?: string
  readonly stripped?: readonly string[]
  readonly servedTier?: string
}

interface ChatOptions extends RouteRequest {
  readonly plan: RoutePlan
  /** The maximum number of attempts. */
  readonly attempts?: number
  /** The first attempt, where it has begun. */
  readonly begun?: BegunChat | undefined
}

export type BegunChat = BegunAttempt<OpenedAttempt & { readonly chatApi: ChatApi }>

/** Tries one route after another until a channel begins to respond. Throws the last failure when none does. */
export async function sendChat(deps: AttemptDeps, incoming: ApiRequest, options: ChatOptions): Promise<ChatAttempt> {
  const { request, plan, attempts, begun } = options
  const { response: result, ...attempt } = await runAttempts<OpenedAttempt & { chatApi: ChatApi }>(deps, incoming, {
    model: request.model,
    plan,
    attempts,
    begun,
    senderFor(route) {
      const chatApi = chatApiFor(route, request)
      return (
        chatApi && {
          dialect: chatApi.dialect,
          send: async (key) => ({
            ...(await sendAttempt(deps, incoming, options, { route, chatApi, key })),
            chatApi,
          }),
          isStream: ({ opening }) => opening.kind === 'stream',
        }
      )
    },
  })
  const { adapted, ...opened } = result
  return { ...attempt, ...opened, reasoningEffort: adapted.reasoningEffort }
}

/** How the channel's provider serves a client of this protocol. */
function chatApiFor({ channel, model }: Route, { dialect }: RequestHead): ChatApi | undefined {
  return chooseChatApi(providerOf(channel.type), { dialect, target: { model, setting: channel.setting } })
}

interface ChatTarget {
  readonly route: Route
  readonly chatApi: ChatApi
  readonly key: string
}

/** The parts of a request that are the same for every channel. */
interface RouteRequest {
  readonly request: RequestHead
  readonly canonical: CanonicalSource
  /** Output tokens that no provider may exceed. */
  readonly outputLimit?: number
  /** Aborts upstream requests. By default they end with the request. */
  readonly abort?: UpstreamAbort
}

interface OpenedAttempt {
  readonly opening: OpenedResponse
  readonly adapted: RequestAdaptation
  /** Options that were removed because they have no price. */
  readonly stripped: readonly string[]
  /** The service tier, where the provider reports it in a header. */
  readonly servedTier?: string
}

const DEADLINES: AttemptDeadlines = { firstTokenMs: 120_000, idleMs: 60_000, responseMs: 600_000 }
export const TIER_HEADER = 'x-gemini-service-tier'
const WAITING = { comment: 'WAITING FOR UPSTREAM', everyMs: 5_000, firstMs: 0 }

/** Calls one channel and waits until it begins to respond. Throws an UpstreamFailure when it does not. */
async function sendAttempt(
  { ports, catalog }: { ports: Pick<Ports, 'upstream' | 'deadlines' | 'signing'>; catalog: Catalog },
  incoming: ApiRequest,
  { request, canonical, outputLimit, abort: requestAbort }: RouteRequest,
  { route, chatApi, key }: ChatTarget,
): Promise<OpenedAttempt> {
  const { settings } = catalog
  const stream = request.stream && !neverStreams(route, chatApi)
  const limits = deadlinesFor(route, ports.deadlines)
  const deadlineMs = stream ? limits.firstTokenMs : limits.responseMs
  if (request.stream && !stream) incoming.writer.keepAlive(WAITING)

  // Before the deadline of the attempt starts: the provider is not at fault for a slow image.
  const inlined: (() => CanonicalRequest) | undefined =
    isPassThrough(request, chatApi) || !chatApi.inlinesMedia
      ? undefined
      : always(await canonical.inline(incoming.signal))
  const attempt = attemptSignal(requestAbort?.signal ?? incoming.signal, deadlineMs)
  try {
    const turnToWrite = yieldIfLarge(request.text.length)
    if (turnToWrite) await turnToWrite
    const { upstream, adapted, model, stripped } = await buildChatRequest(ports, {
      incoming,
      request,
      route,
      chatApi,
      stream,
      key,
      settings,
      outputLimit,
      canonical: inlined ?? canonical.original,
    })
    const outgoing = {
      ...upstream,
      signal: attempt.signal,
      // A stream may be silent until its first content, also after its headers.
      deadlines: { firstByteMs: deadlineMs, idleMs: stream ? deadlineMs : limits.idleMs },
    }
    const turnToSend = yieldIfLarge(request.text.length)
    if (turnToSend) await turnToSend
    requestAbort?.markSent(route)
    const response = await (chatApi.send?.(ports.upstream, outgoing) ?? ports.upstream.open(outgoing))
    const unpacked = chatApi.unpack?.(response, { stream, model }) ?? response
    const opening = await openResponse(unpacked, DIALECTS[chatApi.dialect], { stream, newId })
    response.limitSilence(limits.idleMs)
    const servedTier = response.headers[TIER_HEADER]
    return { opening, adapted, stripped, ...(typeof servedTier === 'string' && { servedTier }) }
  } catch (error) {
    requestAbort?.markFailed()
    throw attempt.late() && !incoming.isAborted ? FAILURES.firstByte() : error
  } finally {
    attempt.settled()
  }
}

interface PostedChat {
  readonly incoming: Pick<ApiRequest, 'isAborted'>
  readonly abort: UpstreamAbort
  readonly exchange: UpstreamExchange
  readonly chatApi: ChatApi
  readonly deadlines: AttemptDeadlines
  readonly stream: boolean
}

/** Waits for the first content of the response to a request that was posted unchanged, as `sendAttempt` does. */
export async function receiveChat({
  incoming,
  abort,
  exchange,
  chatApi,
  deadlines,
  stream,
}: PostedChat): Promise<OpenedAttempt & { readonly chatApi: ChatApi }> {
  let isLate = false
  const giveUp = () => {
    isLate = true
    exchange.abort()
  }
  const timer = setTimeout(giveUp, stream ? deadlines.firstTokenMs : deadlines.responseMs)
  try {
    const response = await exchange.receiveHeaders()
    const opening = await openResponse(response, DIALECTS[chatApi.dialect], { stream, newId })
    response.limitSilence(deadlines.idleMs)
    const servedTier = response.headers[TIER_HEADER]
    return { opening, chatApi, adapted: {}, stripped: [], ...(typeof servedTier === 'string' && { servedTier }) }
  } catch (error) {
    abort.markFailed()
    throw isLate && !incoming.isAborted ? FAILURES.firstByte() : error
  } finally {
    clearTimeout(timer)
  }
}

/**
 * A signal per attempt: one attempt can be abandoned without aborting the request. Follows the request's signal until
 * the response ends.
 */
function attemptSignal(parent: AbortSignal, deadlineMs: number) {
  const abort = new AbortController()
  const giveUp = () => abort.abort()
  parent.addEventListener('abort', giveUp, { once: true })
  if (parent.aborted) giveUp()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    giveUp()
  }, deadlineMs)
  return { signal: abort.signal, late: () => isLate, settled: () => clearTimeout(timer) }
}

/** Reasoning models are silent for longer. */
export function deadlinesFor(
  { model }: Pick<Route, 'model'>,
  configured: Partial<AttemptDeadlines> = {},
): AttemptDeadlines {
  const limits = { ...DEADLINES, ...configured }
  const factor = /^o\d/.test(model) ? 2 : 1
  return { ...limits, firstTokenMs: limits.firstTokenMs * factor, idleMs: limits.idleMs * factor }
}

export function newId(): string {
  return randomUUID().replaceAll('-', '')
}

function always<Value>(value: Value): () => Value {
  return () => value
}
