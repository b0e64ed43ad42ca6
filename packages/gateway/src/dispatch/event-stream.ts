import { createFrameReader, FrameTooLarge, openaiChat, type ChatEvent } from '@tidegate/dialects'
import { FAILURES, type UpstreamResponse } from '@tidegate/providers'

/** A frame as the vendor sent it, and what it says. */
export interface HeardFrame {
  readonly bytes: Uint8Array
  /** Missing for comments and stray blank lines. */
  readonly event?: ChatEvent
}

export interface EventStream {
  /** The frames that came next, `undefined` at the end. Throws an UpstreamFailure when the stream breaks. */
  next(): Promise<HeardFrame[] | undefined>
  /** Nothing more is wanted of it. */
  finish(): void
  abort(): void
}

export function openEventStream(response: UpstreamResponse): EventStream {
  const reader = createFrameReader({
    decode: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'),
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
      throw FAILURES.unreadable(error)
    }
  }
}

const BLANK_LINE = Buffer.from('\n\n')
const BYTE_ORDER_MARK = Buffer.from('\uFEFF')

function heard(bytes: Uint8Array, event: { name?: string; data: string } | undefined): HeardFrame {
  return { bytes, event: event && openaiChat.decodeEvent(event) }
}
