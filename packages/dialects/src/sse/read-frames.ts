import { checkJsonLimits } from '@tidegate/contract'
import { createParser } from 'eventsource-parser'
import type { CanonicalEvent, EventDecoder } from '../canonical/index.ts'
import { FrameTemplate } from './frame-template.ts'
import { FrameSplitter, FrameTooLarge } from './split-frames.ts'

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
  const splitter = new FrameSplitter(maxFrameBytes)
  const parse = createFrameParser(decode)
  return {
    push(chunk) {
      const frames: StreamFrame[] = []
      splitter.push(chunk)
      for (let bytes = splitter.next(); bytes; bytes = splitter.next()) frames.push({ bytes, event: parse(bytes, '') })
      return frames
    },
    flush() {
      const bytes = splitter.flush()
      return bytes && { bytes, event: parse(bytes, '\n\n') }
    },
  }
}

/** A frame of a provider's stream, and its decoded events. */
export interface EventFrame {
  readonly bytes: Uint8Array
  /** Empty for comments, stray blank lines and unknown events. */
  readonly events: readonly CanonicalEvent[]
  /** A comment or a stray blank line: the frame has no event. */
  readonly isEmpty: boolean
}

export interface EventReader {
  push(chunk: Uint8Array): EventFrame[]
  /** Last frame of a stream that ends without a blank line. */
  flush(): EventFrame | undefined
}

/** Reads the frames of a provider's stream and decodes their events. */
export function createEventReader({
  decode,
  decodeEvent,
  maxFrameBytes = DEFAULT_MAX_FRAME_BYTES,
}: FrameReaderOptions & { readonly decodeEvent: EventDecoder }): EventReader {
  const splitter = new FrameSplitter(maxFrameBytes)
  const parse = createFrameParser(decode)
  /** Template of the previous frame. Any other frame resets it. */
  let template: FrameTemplate | undefined

  function read(bytes: Uint8Array, ending: string): EventFrame {
    const event = parse(bytes, ending)
    template = undefined
    if (!event) return { bytes, events: NO_EVENTS, isEmpty: true }
    const events = decodeEvent(event)
    const member = decodeEvent.textMember?.()
    const [first] = events
    if (member !== undefined && (first?.type === 'text-delta' || first?.type === 'thinking-delta')) {
      template = FrameTemplate.of(bytes, first, { member, decode })
    }
    return { bytes, events, isEmpty: false }
  }

  /** Frames from here on that match the template. */
  function readAlike(chunk: Uint8Array, frames: EventFrame[]): void {
    if (!template) return
    for (let start = splitter.frameStart; start !== -1; start = splitter.frameStart) {
      const end = template.match(chunk, start)
      if (end === -1) return
      const text = decode(chunk.subarray(template.textStart, template.textEnd))
      frames.push({ bytes: chunk.subarray(start, end), events: [template.eventOf(text)], isEmpty: false })
      splitter.skipTo(end)
    }
  }

  return {
    push(chunk) {
      const frames: EventFrame[] = []
      splitter.push(chunk)
      readAlike(chunk, frames)
      for (let bytes = splitter.next(); bytes; bytes = splitter.next()) {
        frames.push(read(bytes, ''))
        readAlike(chunk, frames)
      }
      return frames
    },
    flush() {
      const rest = splitter.flush()
      return rest && read(rest, '\n\n')
    },
  }
}

const NO_EVENTS: readonly CanonicalEvent[] = []

function createFrameParser(decode: FrameReaderOptions['decode']) {
  let event: StreamFrame['event']
  const parser = createParser({
    onEvent: (message) => {
      event = { name: message.event, data: message.data }
    },
  })
  return (bytes: Uint8Array, ending: string): StreamFrame['event'] => {
    event = undefined
    const excess = checkJsonLimits(bytes)
    if (excess) throw new FrameTooLarge(`an event is ${excess.replaceAll('_', ' ')}`)
    const text = decode(bytes)
    parser.feed(text + ending)
    // Some providers end a failed stream with a bare JSON error, which the SSE standard ignores.
    return event ?? (bytes[0] === OPENING_BRACE ? { data: text.trim() } : undefined)
  }
}
