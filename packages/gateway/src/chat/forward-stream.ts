import { type ApiError, logEvent } from '@tidegate/contract'
import { type ResponseContext, type CanonicalResponse, openaiChat, type RequestHead } from '@tidegate/dialects'
import { failureFromError, FAILURES, UpstreamFailure } from '@tidegate/providers'
import type { ApiRequest } from '../http/api-request.ts'
import type { ResponseWriter } from '../http/response-writer.ts'
import type { Ports } from '../ports/index.ts'
import type { CreditGuard } from './credit-guard.ts'
import type { EventStream, ReceivedFrame, OpenedResponse } from './first-content.ts'
import type { ChatAttempt } from './send-chat.ts'
import { convertingWriter, isRewritten, passThroughWriter, transformFor, type StreamWriter } from './stream-writers.ts'
import type { Meter } from './usage-meter.ts'

type WholeResponse = Extract<OpenedResponse, { kind: 'whole' }>

/** A response up to its last bytes, which are sent after settlement. */
export type ResponseEnd =
  | { readonly kind: 'stream'; readonly end: StreamEnd; readonly writer: StreamWriter }
  /** The client receives the provider's body. */
  | { readonly kind: 'whole'; readonly opening: WholeResponse }
  | { readonly kind: 'converted'; readonly response: CanonicalResponse; readonly context: ResponseContext }

interface ForwardOptions {
  readonly incoming: ApiRequest
  readonly request: RequestHead
  readonly attempt: ChatAttempt
  readonly context: () => ResponseContext
  readonly meter: Meter
  /** Creates the guard that watches the cost of a stream. */
  readonly createGuard: () => CreditGuard
}

/** Forwards the response, except for the last bytes, and meters it. */
export async function forwardResponse(
  { observe, log, now }: Pick<Ports, 'observe' | 'log' | 'now'>,
  { incoming, request, attempt, context, meter, createGuard }: ForwardOptions,
): Promise<ResponseEnd> {
  const { opening, route, chatApi, firstContentAt, lease } = attempt
  const isSameProtocol = chatApi.dialect === request.dialect && !isRewritten(route.channel)
  const reshape = transformFor(route.channel)

  if (opening.kind === 'stream') {
    const channelId = route.channel.id
    observe?.({ kind: 'first-token', channelId, model: route.model, milliseconds: firstContentAt - incoming.startedAt })
    const writer = isSameProtocol
      ? passThroughWriter(incoming.dialect, request)
      : convertingWriter(incoming.dialect, context(), reshape)
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
  if (request.stream) {
    const writer =
      isSameProtocol && incoming.dialect.id === 'openai-chat'
        ? singleChunkWriter(opening, request)
        : convertingWriter(incoming.dialect, context(), reshape)
    await incoming.writer.write(writer.convert({ bytes: NO_BYTES, events: opening.decoded, isEmpty: false }))
    return { kind: 'stream', end: { kind: 'complete' }, writer }
  }
  if (isSameProtocol) return { kind: 'whole', opening }
  return {
    kind: 'converted',
    response: reshape ? reshape.response(opening.canonical) : opening.canonical,
    context: context(),
  }
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
  readonly held: ReceivedFrame[]
  readonly events: EventStream
}

/** Forwards a stream as it arrives, and meters it. Stops before its end. */
async function forwardEvents(
  writer: ResponseWriter,
  { held, events }: OpenedStream,
  encoder: StreamWriter,
  meter: Meter,
  guard: CreditGuard,
): Promise<StreamEnd> {
  let finished = false
  try {
    // Spliced, or the first frames would stay in memory as long as the request.
    for (let frames: ReceivedFrame[] | undefined = held.splice(0); frames; frames = await events.next()) {
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
  return pieces.every((piece) => typeof piece === 'string')
    ? pieces.join('')
    : Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)))
}
