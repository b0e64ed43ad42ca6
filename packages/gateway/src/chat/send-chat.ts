import { randomUUID } from 'node:crypto'
import { modelTraits } from '@tidegate/contract'
import { type CanonicalRequest, DialectError, DIALECTS, type RequestHead } from '@tidegate/dialects'
import {
  type RequestAdaptation,
  chooseChatApi,
  type ChatApi,
  FAILURES,
  providerOf,
  rejectsThinking,
  type UpstreamExchange,
  UpstreamFailure,
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
  readonly dropped?: readonly string[]
  readonly servedTier?: string
  /** The model was asked for a summary: the provider compacts nothing. */
  readonly summarizes: boolean
}

/** A request, and its canonical form. */
export interface SourcedRequest {
  readonly request: RequestHead
  readonly canonical: CanonicalSource
}

interface ChatOptions extends RouteRequest {
  /** Sent instead of a compaction to providers that compact nothing. */
  readonly summary?: SourcedRequest | undefined
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
  let summarizes = false
  const { response: result, ...attempt } = await runAttempts<OpenedAttempt & { chatApi: ChatApi }>(deps, incoming, {
    model: request.model,
    plan,
    attempts,
    begun,
    senderFor(route) {
      let chatApi = chatApiFor(route, request)
      if (!chatApi) return undefined
      return {
        get dialect() {
          return chatApi!.dialect
        },
        async send(key, begun) {
          summarizes = options.summary !== undefined && !chatApi!.compactionUrl
          const sendWith = (withoutThinking: boolean) => {
            const form = summarizes ? { ...options, ...options.summary } : options
            return sendAttempt(deps, incoming, { ...form, withoutThinking }, { route, chatApi: chatApi!, key })
          }
          const send = async () => ({ ...(await retryWithoutThinking(sendWith)), chatApi: chatApi! })
          try {
            return await (begun ? begun.receive() : send())
          } catch (error) {
            if (!summarizes && options.summary && !incoming.isAborted && rejectsCompaction(error)) {
              summarizes = true
              return await send()
            }
            const other = responsesApiFor(route, chatApi!, error)
            if (!other || incoming.isAborted) throw error
            chatApi = other
            return await send().catch((failure: unknown) => {
              throw failure instanceof DialectError ? error : failure
            })
          }
        },
        isStream: ({ opening }) => opening.kind === 'stream',
      }
    },
  })
  const { adapted, ...opened } = result
  return { ...attempt, ...opened, reasoningEffort: adapted.reasoningEffort, summarizes }
}

/** How the channel's provider serves a client of this protocol. */
function chatApiFor({ channel, model }: Route, { dialect, body }: RequestHead): ChatApi | undefined {
  return chooseChatApi(providerOf(channel.type), { dialect, body, target: { model, setting: channel.setting } })
}

/**
 * The Responses API of a provider that rejected a request because only this API serves it. Undefined for other failures,
 * and where the operator chose the API of the channel.
 */
function responsesApiFor({ channel }: Route, { dialect }: ChatApi, error: unknown): ChatApi | undefined {
  const isRejection = error instanceof UpstreamFailure && (error.status === 400 || error.status === 404)
  if (!isRejection || dialect !== 'openai-chat' || channel.setting.openai_api === 'chat') return undefined
  if (!error.error.message.includes('v1/responses')) return undefined
  return providerOf(channel.type).chatApis?.find((api) => api.dialect === 'openai-responses')
}

/** Compatible providers lack what OpenAI has. */
function rejectsCompaction(error: unknown): boolean {
  return error instanceof UpstreamFailure && [400, 404, 405, 422].includes(error.status ?? 0)
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
  readonly withoutThinking?: boolean
}

interface OpenedAttempt {
  readonly opening: OpenedResponse
  readonly adapted: RequestAdaptation
  /** Options that were removed because they have no price. */
  readonly stripped: readonly string[]
  /** What the provider's protocol or model does not accept. */
  readonly dropped?: readonly string[]
  /** The service tier, where the provider reports it in a header. */
  readonly servedTier?: string
}

const DEADLINES: AttemptDeadlines = { firstTokenMs: 120_000, idleMs: 60_000, responseMs: 600_000 }
export const TIER_HEADER = 'x-gemini-service-tier'
const WAITING = { comment: 'WAITING FOR UPSTREAM', everyMs: 5_000, firstMs: 0 }

/** Sends the request once more if the provider rejects a signature. No other key would accept it. */
async function retryWithoutThinking(
  send: (withoutThinking: boolean) => Promise<OpenedAttempt>,
): Promise<OpenedAttempt> {
  try {
    return await send(false)
  } catch (error) {
    if (!rejectsThinking(error)) throw error
    return await send(true)
  }
}

/** Calls one channel and waits until it begins to respond. Throws an UpstreamFailure when it does not. */
async function sendAttempt(
  { ports, catalog }: { ports: Pick<Ports, 'upstream' | 'deadlines' | 'signing'>; catalog: Catalog },
  incoming: ApiRequest,
  { request, canonical, outputLimit, abort: requestAbort, withoutThinking }: RouteRequest,
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
    const { upstream, adapted, model, stripped, dropped } = await buildChatRequest(ports, {
      incoming,
      request,
      route,
      chatApi,
      stream,
      key,
      settings,
      outputLimit,
      withoutThinking,
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
    return {
      opening,
      adapted,
      stripped,
      dropped: listDropped(dropped),
      ...(typeof servedTier === 'string' && { servedTier }),
    }
  } catch (error) {
    requestAbort?.markFailed()
    throw attempt.late() && !incoming.isAborted ? FAILURES.firstByte() : error
  } finally {
    attempt.settled()
  }
}

const MAX_DROPPED = 30
const HEADER_SAFE = /^[\w.:\- ]{1,64}$/

/** Clients choose names of members, so the list is bounded, and safe for a header. */
export function listDropped(names: readonly string[]): readonly string[] {
  const safe = [...new Set(names.map((name) => (HEADER_SAFE.test(name) ? name : 'other')))]
  return safe.length > MAX_DROPPED ? [...safe.slice(0, MAX_DROPPED), 'other'] : safe
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

/** Some models are silent for longer. */
export function deadlinesFor(
  { model }: Pick<Route, 'model'>,
  configured: Partial<AttemptDeadlines> = {},
): AttemptDeadlines {
  const limits = { ...DEADLINES, ...configured }
  const { deadlineFactor: factor = 1 } = modelTraits(model)
  return { ...limits, firstTokenMs: limits.firstTokenMs * factor, idleMs: limits.idleMs * factor }
}

export function newId(): string {
  return randomUUID().replaceAll('-', '')
}

function always<Value>(value: Value): () => Value {
  return () => value
}
