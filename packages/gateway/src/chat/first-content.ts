import {
  type CanonicalAnswer,
  type CanonicalEvent,
  createFrameReader,
  type DecodeContext,
  type Dialect,
  type EventDecoder,
  eventsOf,
  FrameTooLarge,
  isContent,
  isEmptyReply,
  type StreamEvent,
} from '@tidegate/dialects'
import {
  failureFromAnswer,
  failureFromError,
  FAILURES,
  readBody,
  readJsonBody,
  type UpstreamResponse,
} from '@tidegate/providers'

/** An answer that has begun with something real: a stream held at its first content, or a whole body. */
export type OpenedResponse =
  | { readonly kind: 'stream'; readonly held: ReceivedFrame[]; readonly events: EventStream }
  | {
      readonly kind: 'whole'
      readonly answer: CanonicalAnswer
      /** The same, as a stream would have told it. */
      readonly said: readonly CanonicalEvent[]
      readonly status: number
      readonly headers: UpstreamResponse['headers']
      readonly body: Buffer
    }

const ERROR_BODY_CAP_BYTES = 1024 * 1024
const BUFFER_LIMIT_BYTES = 10 * 1024 * 1024

/** Reads an answer as far as it takes to know that it is one. Throws an UpstreamFailure when it is not. */
export async function openResponse(
  response: UpstreamResponse,
  dialect: Dialect,
  { stream, newId }: DecodeContext & { stream: boolean },
): Promise<OpenedResponse> {
  if (response.status < 200 || response.status > 299) {
    const body = await readBody(response, ERROR_BODY_CAP_BYTES)
    throw failureFromAnswer(response.status, body.toString('utf8'), response.headers)
  }
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
  const body = await readJsonBody(response)
  const answer = dialect.decodeAnswer(body.toString('utf8'), context)
  if (!answer) throw FAILURES.unreadable()
  if (answer.error) throw failureFromError(answer.error, answer.errorStatus)
  const said = eventsOf(answer)
  if (isEmptyReply(said)) throw FAILURES.empty()
  return { kind: 'whole', answer, said, status: response.status, headers: response.headers, body }
}

/** Nothing may reach the client before the first real event, so what comes earlier is kept back to be sent with it. */
async function bufferUntilContent(events: EventStream): Promise<OpenedResponse> {
  const held: ReceivedFrame[] = []
  const heard: CanonicalEvent[] = []
  let heldBytes = 0
  for (let frames = await events.next(); frames; frames = await events.next()) {
    for (const [index, frame] of frames.entries()) {
      if (frame.silent) continue // a provider's own pings end here
      held.push(frame)
      heldBytes += frame.bytes.length
      for (const event of frame.events) {
        if (event.type === 'error') {
          events.abort()
          throw failureFromError(event.error, event.status)
        }
        if (isContent(event)) return { kind: 'stream', held: [...held, ...frames.slice(index + 1)], events }
        heard.push(event)
      }
    }
    if (heard.at(-1)?.type === 'done') break
    if (heldBytes > BUFFER_LIMIT_BYTES) {
      events.abort()
      throw FAILURES.tooLarge(new Error(`more than ${BUFFER_LIMIT_BYTES} bytes without content`))
    }
  }
  if (isEmptyReply(heard)) {
    events.finish()
    throw FAILURES.empty()
  }
  return { kind: 'stream', held, events }
}

/** A frame as the provider sent it, and what it says. */
export interface ReceivedFrame {
  readonly bytes: Uint8Array
  /** None for comments, stray blank lines and events that mean nothing to us. */
  readonly events: readonly CanonicalEvent[]
  /** A comment or a stray blank line: there was no event at all. */
  readonly silent: boolean
}

export interface EventStream {
  /** The frames that came next, `undefined` at the end. Throws an UpstreamFailure when the stream breaks. */
  next(): Promise<ReceivedFrame[] | undefined>
  /** Nothing more is wanted of it. */
  finish(): void
  abort(): void
}

function openEventStream(response: UpstreamResponse, decode: EventDecoder): EventStream {
  const reader = createFrameReader({
    decode: textOf,
  })
  let ended = false
  let begun = false

  return {
    async next() {
      while (!ended) {
        const chunk = await response.read()
        if (chunk === undefined) {
          ended = true
          const rest = reader.flush()
          // The client gets the blank line that the provider left out, or the end mark would run into the event.
          return rest && [heard(Buffer.concat([rest.bytes, BLANK_LINE]), rest.event)]
        }
        const frames = split(chunk)
        if (frames.length > 0) return frames
      }
      return undefined
    },
    finish: () => response.finish(),
    abort: () => response.abort(),
  }

  function heard(bytes: Uint8Array, event: StreamEvent | undefined): ReceivedFrame {
    return event ? { bytes, events: decode(event), silent: false } : { bytes, events: [], silent: true }
  }

  /** Our stream may have begun with a ping, and in the middle a byte order mark would spoil the event it stands before. */
  function withoutMark([first, ...rest]: ReceivedFrame[]): ReceivedFrame[] {
    if (!first) return []
    begun = true
    const marked = BYTE_ORDER_MARK.equals(first.bytes.subarray(0, BYTE_ORDER_MARK.length))
    return [marked ? { ...first, bytes: first.bytes.subarray(BYTE_ORDER_MARK.length) } : first, ...rest]
  }

  function split(chunk: Uint8Array): ReceivedFrame[] {
    try {
      const frames = reader.push(chunk).map(({ bytes, event }) => heard(bytes, event))
      return begun ? frames : withoutMark(frames)
    } catch (error) {
      if (!(error instanceof FrameTooLarge)) throw error
      response.abort()
      throw FAILURES.tooLarge(error)
    }
  }
}

function textOf(bytes: Uint8Array): string {
  // What the provider's connection gives is a buffer already, and making another for each frame costs as much as its text.
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return buffer.toString('utf8')
}

const BLANK_LINE = Buffer.from('\n\n')
const BYTE_ORDER_MARK = Buffer.from('\uFEFF')
