import {
  createFrameReader,
  FrameTooLarge,
  type CanonicalEvent,
  type EventDecoder,
  type StreamEvent,
} from '@tidegate/dialects'
import { FAILURES, type UpstreamResponse } from '@tidegate/providers'

/** A frame as the vendor sent it, and what it says. */
export interface HeardFrame {
  readonly bytes: Uint8Array
  /** None for comments, stray blank lines and events that mean nothing to us. */
  readonly events: readonly CanonicalEvent[]
  /** A comment or a stray blank line: there was no event at all. */
  readonly silent: boolean
}

export interface EventStream {
  /** The frames that came next, `undefined` at the end. Throws an UpstreamFailure when the stream breaks. */
  next(): Promise<HeardFrame[] | undefined>
  /** Nothing more is wanted of it. */
  finish(): void
  abort(): void
}

export function openEventStream(response: UpstreamResponse, decode: EventDecoder): EventStream {
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
          // The client gets the blank line that the vendor left out, or the end mark would run into the event.
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

  function heard(bytes: Uint8Array, event: StreamEvent | undefined): HeardFrame {
    return event ? { bytes, events: decode(event), silent: false } : { bytes, events: [], silent: true }
  }

  /** Our stream may have begun with a ping, and in the middle a byte order mark would spoil the event it stands before. */
  function withoutMark([first, ...rest]: HeardFrame[]): HeardFrame[] {
    if (!first) return []
    begun = true
    const marked = BYTE_ORDER_MARK.equals(first.bytes.subarray(0, BYTE_ORDER_MARK.length))
    return [marked ? { ...first, bytes: first.bytes.subarray(BYTE_ORDER_MARK.length) } : first, ...rest]
  }

  function split(chunk: Uint8Array): HeardFrame[] {
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
  // What the vendor's connection gives is a buffer already, and making another for each frame costs as much as its text.
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return buffer.toString('utf8')
}

const BLANK_LINE = Buffer.from('\n\n')
const BYTE_ORDER_MARK = Buffer.from('\uFEFF')
