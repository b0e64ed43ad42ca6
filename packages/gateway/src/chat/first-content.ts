import {
  type CanonicalResponse,
  type CanonicalEvent,
  createEventReader,
  type DecodeContext,
  type Dialect,
  type EventDecoder,
  type EventFrame,
  eventsOf,
  FrameTooLarge,
  isContent,
  isEmptyResponse,
} from '@tidegate/dialects'
import { checkStatus, failureFromError, FAILURES, readJsonBody, type UpstreamResponse } from '@tidegate/providers'

/** A response that has begun: a stream up to its first content, or a whole body. */
export type OpenedResponse =
  | { readonly kind: 'stream'; readonly held: EventFrame[]; readonly events: EventStream }
  | {
      readonly kind: 'whole'
      readonly canonical: CanonicalResponse
      /** The response as stream events. */
      readonly decoded: readonly CanonicalEvent[]
      readonly status: number
      readonly headers: UpstreamResponse['headers']
      readonly body: Buffer
    }

const BUFFER_LIMIT_BYTES = 10 * 1024 * 1024

/** Reads a response until its first content. Throws an UpstreamFailure when there is none. */
export async function openResponse(
  response: UpstreamResponse,
  dialect: Dialect,
  { stream, newId }: DecodeContext & { stream: boolean },
): Promise<OpenedResponse> {
  await checkStatus(response)
  const isStream = stream && /^text\/event-stream\b/i.test(response.headers['content-type'] ?? '')
  return isStream
    ? bufferUntilContent(openEventStream(response, dialect.createDecoder({ newId })))
    : readWhole(response, dialect, { newId })
}

async function readWhole(
  response: UpstreamResponse,
  dialect: Dialect,
  context: DecodeContext,
): Promise<OpenedResponse> {
  return decodeWhole(response, await readJsonBody(response), dialect, context)
}

/** A whole response whose body was read. Throws an UpstreamFailure when it is an error, or empty. */
export function decodeWhole(
  response: Pick<UpstreamResponse, 'status' | 'headers'>,
  body: Buffer,
  dialect: Dialect,
  context: DecodeContext,
): OpenedResponse {
  const canonical = dialect.decodeResponse(body.toString('utf8'), context)
  if (!canonical) throw FAILURES.unreadable()
  if (canonical.error) throw failureFromError(canonical.error, canonical.errorStatus)
  const decoded = eventsOf(canonical)
  if (isEmptyResponse(decoded)) throw FAILURES.empty()
  return { kind: 'whole', canonical, decoded, status: response.status, headers: response.headers, body }
}

/** Nothing may reach the client before the first content, so earlier frames are buffered and sent with it. */
async function bufferUntilContent(events: EventStream): Promise<OpenedResponse> {
  const held: EventFrame[] = []
  const received: CanonicalEvent[] = []
  let heldBytes = 0
  for (let frames = await events.next(); frames; frames = await events.next()) {
    for (const [index, frame] of frames.entries()) {
      if (frame.isEmpty) continue // pings of the provider are dropped
      held.push(frame)
      heldBytes += frame.bytes.length
      for (const event of frame.events) {
        if (event.type === 'error') {
          events.abort()
          throw failureFromError(event.error, event.status)
        }
        if (isContent(event)) return { kind: 'stream', held: [...held, ...frames.slice(index + 1)], events }
        received.push(event)
      }
    }
    if (received.at(-1)?.type === 'done') break
    if (heldBytes > BUFFER_LIMIT_BYTES) {
      events.abort()
      throw FAILURES.tooLarge(new Error(`more than ${BUFFER_LIMIT_BYTES} bytes without content`))
    }
  }
  if (isEmptyResponse(received)) {
    events.finish()
    throw FAILURES.empty()
  }
  return { kind: 'stream', held, events }
}

export interface EventStream {
  /** The next frames, `undefined` at the end. Throws an UpstreamFailure when the stream breaks. */
  next(): Promise<EventFrame[] | undefined>
  /** The stream is complete; its remaining bytes are not needed. */
  finish(): void
  abort(): void
}

function openEventStream(response: UpstreamResponse, decodeEvent: EventDecoder): EventStream {
  const reader = createEventReader({ decode: textOf, decodeEvent })
  let ended = false
  let begun = false

  return {
    async next() {
      while (!ended) {
        const chunk = await response.read()
        if (chunk === undefined) {
          ended = true
          const rest = reader.flush()
          // Adds the blank line that the provider omitted: the end mark must not run into the event.
          return rest && [{ ...rest, bytes: Buffer.concat([rest.bytes, BLANK_LINE]) }]
        }
        const frames = split(chunk)
        if (frames.length > 0) return frames
      }
      return undefined
    },
    finish: () => response.finish(),
    abort: () => response.abort(),
  }

  /** Our stream may have begun with a ping, and a byte order mark in the middle would break the event after it. */
  function withoutMark([first, ...rest]: EventFrame[]): EventFrame[] {
    if (!first) return []
    begun = true
    const marked = BYTE_ORDER_MARK.equals(first.bytes.subarray(0, BYTE_ORDER_MARK.length))
    return [marked ? { ...first, bytes: first.bytes.subarray(BYTE_ORDER_MARK.length) } : first, ...rest]
  }

  function split(chunk: Uint8Array): EventFrame[] {
    try {
      const frames = reader.push(chunk)
      return begun ? frames : withoutMark(frames)
    } catch (error) {
      if (!(error instanceof FrameTooLarge)) throw error
      response.abort()
      throw FAILURES.tooLarge(error)
    }
  }
}

function textOf(bytes: Uint8Array): string {
  // The connection yields buffers already. A copy of each frame would cost as much as decoding it.
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return buffer.toString('utf8')
}

const BLANK_LINE = Buffer.from('\n\n')
const BYTE_ORDER_MARK = Buffer.from('\uFEFF')
