import { type ApiError, logEvent, type UsageReport } from '@tidegate/contract'
import {
  type CanonicalResponse,
  compactionBody,
  compactionResponse,
  type DropCollector,
  type EventFrame,
  type JsonObject,
  openaiChat,
  type RequestHead,
  type ResponseContext,
} from '@tidegate/dialects'
import { failureFromError, FAILURES, UpstreamFailure } from '@tidegate/providers'
import type { ApiRequest } from '../http/api-request.ts'
import type { ResponseWriter } from '../http/response-writer.ts'
import type { Ports } from '../ports/index.ts'
import { accountOf } from './chat-body.ts'
import type { CreditGuard } from './credit-guard.ts'
import type { EventStream, OpenedResponse } from './first-content.ts'
import type { ChatAttempt } from './send-chat.ts'
import {
  convertingWriter,
  createTextCollector,
  isRewritten,
  passThroughWriter,
  sealBytes,
  summaryWriter,
  transformFor,
  type StreamWriter,
} from './stream-writers.ts'
import type { Meter } from './usage-meter.ts'

type WholeResponse = Extract<OpenedResponse, { kind: 'whole' }>

/** A response up to its last bytes, which are sent after settlement. */
export type ResponseEnd =
  | { readonly kind: 'stream'; readonly end: StreamEnd; readonly writer: StreamWriter }
  /** The client receives the provider's body. */
  | { readonly kind: 'whole'; readonly opening: WholeResponse }
  /** A body of ours. Undefined if there is nothing that the client could use. */
  | { readonly kind: 'own'; readonly write: ((usage: UsageReport) => JsonObject) | undefined }
  | { readonly kind: 'converted'; readonly response: CanonicalResponse; readonly context: ResponseContext }

interface ForwardOptions {
  readonly incoming: ApiRequest
  readonly request: RequestHead
  readonly attempt: ChatAttempt
  readonly context: () => ResponseContext
  readonly meter: Pick<Meter, 'add'>
  /** Collects what the client cannot receive. Missing if the provider has the client's protocol. */
  readonly dropped: DropCollector | undefined
  /** Creates the guard that watches the cost of a stream. */
  readonly createGuard: () => CreditGuard
}

/** Forwards the response, except for the last bytes, and meters it. */
export async function forwardResponse(
  { observe, log, now }: Pick<Ports, 'observe' | 'log' | 'now'>,
  { incoming, request, attempt, context, meter, dropped, createGuard }: ForwardOptions,
): Promise<ResponseEnd> {
  const { opening, route, chatApi, firstContentAt, lease } = attempt
  const isSameProtocol = chatApi.dialect === request.dialect && !isRewritten(route.channel)
  const reshape = transformFor(route.channel)
  const account = () => accountOf(route.channel)

  const summarized = attempt.summarizes ? context() : undefined

  if (opening.kind === 'stream') {
    const channelId = route.channel.id
    observe?.({ kind: 'first-token', channelId, model: route.model, milliseconds: firstContentAt - incoming.startedAt })
    const writer = summarized
      ? summaryWriter(summarized)
      : isSameProtocol
        ? passThroughWriter(incoming.dialect, request, account)
        : convertingWriter(incoming.dialect, context(), reshape, dropped)
    const end = await forwardEvents(incoming.writer, opening, writer, meter, createGuard())
    if (end.kind === 'broken' && end.failure.kind !== 'aborted') {
      const { status } = end.failure
      lease.report({ outcome: 'server', status, milliseconds: now() - firstContentAt })
      logEvent(log, 'stream.broken', { requestId: incoming.requestId, channelId, err: end.failure })
    }
    return { kind: 'stream', end, writer }
  }

  for (const event of opening.decoded) meter.add(event)
  meter.add(DONE) // the response is complete, even without a finish event
  if (summarized && !request.stream) return { kind: 'own', write: summaryOf(opening, request, summarized) }
  if (request.stream) {
    const writer = summarized
      ? summaryWriter(summarized)
      : isSameProtocol && incoming.dialect.id === 'openai-chat'
        ? singleChunkWriter(opening, request)
        : convertingWriter(incoming.dialect, context(), reshape, dropped)
    await incoming.writer.write(writer.convert({ bytes: NO_BYTES, events: opening.decoded, isEmpty: false }))
    return { kind: 'stream', end: { kind: 'complete' }, writer }
  }
  if (isSameProtocol) {
    const body = incoming.dialect.id === 'openai-responses' ? sealBytes(opening.body, account) : opening.body
    return { kind: 'whole', opening: { ...opening, body: Buffer.from(body) } }
  }
  if (dropped) for (const event of opening.decoded) dropped.add(event)
  return {
    kind: 'converted',
    response: reshape ? reshape.response(opening.canonical) : opening.canonical,
    context: context(),
  }
}

function summaryOf({ decoded }: WholeResponse, request: RequestHead, context: ResponseContext) {
  const collector = createTextCollector()
  decoded.forEach(collector.add)
  const summary = collector.text()
  if (summary === '') return undefined
  return (usage: UsageReport) =>
    request.compaction === 'endpoint'
      ? compactionBody(request, { context, summary, usage })
      : compactionResponse({ context, summary, usage })
}

const DONE = { type: 'done' } as const
const NO_BYTES = new Uint8Array(0)

/** A whole chat response as a stream of one chunk, with all fields of the provider. */
function singleChunkWriter({ body, canonical }: WholeResponse, { includeUsage }: RequestHead): StreamWriter {
  const start = {
    type: 'response-start',
    id: canonical.id,
    model: canonical.model,
    created: canonical.created,
  } as const
  return {
    convert: () => openaiChat.responseFrames(body.toString('utf8')),
    closing: (usage) =>
      openaiChat.closeStream({ terminal: undefined, wantsUsage: includeUsage, sentUsage: false, usage, start }),
  }
}

/** How a stream ended. Its last frames are sent after settlement. */
type StreamEnd =
  | { readonly kind: 'complete' }
  | { readonly kind: 'broken'; readonly failure: UpstreamFailure }
  /** The reservation could not be extended. */
  | { readonly kind: 'uncovered'; readonly shortage: ApiError }

interface OpenedStream {
  readonly held: EventFrame[]
  readonly events: EventStream
}

/** Forwards a stream as it arrives, and meters it. Stops before its end. */
async function forwardEvents(
  writer: ResponseWriter,
  { held, events }: OpenedStream,
  encoder: StreamWriter,
  meter: Pick<Meter, 'add'>,
  guard: CreditGuard,
): Promise<StreamEnd> {
  let finished = false
  try {
    // Spliced, or the first frames would stay in memory as long as the request.
    for (let frames: EventFrame[] | undefined = held.splice(0); frames; frames = await events.next()) {
      const forwarded: (Uint8Array | string)[] = []
      let end: StreamEnd | undefined
      for (const frame of frames) {
        for (const event of frame.events) {
          meter.add(event)
          if (event.type === 'finish') finished = true
          else if (event.type === 'done') end ??= { kind: 'complete' }
          else if (event.type === 'error')
            end ??= { kind: 'broken', failure: failureFromError(event.error, event.status) }
        }
        // Checked per frame, not per chunk: at most one frame is billed and not sent.
        const checking = guard()
        const shortage = checking && (await checking)
        if (shortage) {
          if (forwarded.length > 0) await writer.write(joinPieces(forwarded))
          events.abort()
          return { kind: 'uncovered', shortage }
        }
        if (end?.kind === 'broken') break
        const bytes = encoder.convert(frame)
        if (bytes.length > 0) forwarded.push(bytes)
        if (end) break
      }
      const writing = forwarded.length > 0 ? writer.write(joinPieces(forwarded)) : undefined
      if (writing) await writing
      if (end) {
        if (end.kind === 'complete') events.finish()
        else events.abort()
        return end
      }
    }
  } catch (error) {
    // The client has received content, so the request must be settled.
    events.abort()
    const failure = error instanceof UpstreamFailure ? error : FAILURES.unreadable(error)
    if (!finished || failure.kind === 'aborted') return { kind: 'broken', failure }
  }
  // Some providers close without an end mark. A finish event shows that the response is complete.
  return finished ? { kind: 'complete' } : { kind: 'broken', failure: FAILURES.interrupted() }
}

function joinPieces(pieces: readonly (Uint8Array | string)[]): Uint8Array | string {
  if (pieces.length === 1) return pieces[0]!
  if (pieces.every((piece) => typeof piece === 'string')) return pieces.join('')
  return (
    rangeOf(pieces) ?? Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
  )
}

/** The bytes of pieces that follow each other in one received chunk, as most do. */
function rangeOf(pieces: readonly (Uint8Array | string)[]): Uint8Array | undefined {
  const first = pieces[0]!
  if (typeof first === 'string') return undefined
  let end = first.byteOffset
  for (const piece of pieces) {
    if (typeof piece === 'string' || piece.buffer !== first.buffer || piece.byteOffset !== end) return undefined
    end += piece.length
  }
  return new Uint8Array(first.buffer, first.byteOffset, end - first.byteOffset)
}
