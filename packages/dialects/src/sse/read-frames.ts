import { checkJsonLimits } from '@tidegate/contract'
import { createParser } from 'eventsource-parser'
import { createFrameSplitter, FrameTooLarge } from './split-frames.ts'

/** One frame of a stream: its original bytes and its event. Comments and extra blank lines have no event. */
export interface StreamFrame {
  readonly bytes: Uint8Array
  readonly event?: { readonly name?: string; readonly data: string }
}

export interface FrameReader {
  push(chunk: Uint8Array): StreamFrame[]
  /** Last frame of a stream that ends without a blank line. */
  flush(): StreamFrame | undefined
}

export interface FrameReaderOptions {
  /** Decodes the UTF-8 bytes of one whole frame. */
  readonly decode: (bytes: Uint8Array) => string
  readonly maxFrameBytes?: number
}

const OPENING_BRACE = 123
const DEFAULT_MAX_FRAME_BYTES = 10 * 1024 * 1024

/** Reads a server-sent event stream frame by frame and keeps the original bytes. */
export function createFrameReader({
  decode,
  maxFrameBytes = DEFAULT_MAX_FRAME_BYTES,
}: FrameReaderOptions): FrameReader {
  const splitter = createFrameSplitter({ maxFrameBytes })
  let event: StreamFrame['event']
  const parser = createParser({
    onEvent: (message) => {
      event = { name: message.event, data: message.data }
    },
  })

  function read(bytes: Uint8Array, ending: string): StreamFrame {
    event = undefined
    const excess = checkJsonLimits(bytes)
    if (excess) throw new FrameTooLarge(`an event is ${excess.replaceAll('_', ' ')}`)
    const text = decode(bytes)
    parser.feed(text + ending)
    // Some providers end a failed stream with a bare JSON error, which the SSE standard ignores.
    if (event === undefined && bytes[0] === OPENING_BRACE) event = { data: text.trim() }
    return { bytes, event }
  }

  return {
    push: (chunk) => splitter.push(chunk).map((bytes) => read(bytes, '')),
    flush() {
      const rest = splitter.flush()
      return rest && read(rest, '\n\n')
    },
  }
}
