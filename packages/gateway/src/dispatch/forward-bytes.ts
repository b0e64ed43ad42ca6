import { asText, asJsonObject, parseJsonObject, type JsonObject, type WireError } from '@tidegate/dialects'
import type { UpstreamResponse } from '@tidegate/providers'
import { failureFromError, UpstreamFailure } from '@tidegate/providers'
import { forwardedHeaders, type ResponseWriter } from '../http/response-writer.ts'

/** Counts stand in the last event of a stream: more of its end need not be kept. */
const TAIL_BYTES = 64 * 1024
/** Errors are short. Longer events hold images or sound: they are passed on in parts and not read. */
const LONGEST_ERROR_BYTES = 64 * 1024
const MARK_BYTES = '\r\n\r\n'.length - 1

export interface ForwardedBytes {
  /** Its end, as text; blank when it is no stream of events. */
  readonly tail: string
  /** Why it stopped before its end. */
  readonly broken?: UpstreamFailure
  /** An error that the provider sent as an event. */
  readonly error?: UpstreamFailure
  /** Something else than an error was passed on. */
  readonly hasContent: boolean
}

interface ForwardOptions {
  readonly response: UpstreamResponse
  readonly first: Uint8Array | undefined
  /** What the client may read of an error. */
  present(failure: UpstreamFailure): WireError
}

/** Passes bytes on as they come, at the pace of the client. What tells the client that it is over is left to the caller. */
export async function forwardBytes(
  writer: ResponseWriter,
  { response, first, present }: ForwardOptions,
): Promise<ForwardedBytes> {
  let tail = Buffer.alloc(0)
  const isEvents = /^text\/event-stream\b/i.test(response.headers['content-type'] ?? '')
  const events = isEvents ? new EventSplitter(present) : undefined
  writer.openRaw(response.status, forwardedHeaders(response.headers))
  const end = () => ({
    tail: tail.toString('utf8'),
    ...(events?.error && { error: events.error }),
    hasContent: events?.hasContent ?? true,
  })
  try {
    for (let chunk = first; chunk; chunk = await response.read()) {
      if (isEvents) tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES)
      const shown = events ? events.take(chunk) : chunk
      if (shown.length > 0) await writer.write(shown)
      if (writer.isClosed) response.abort()
    }
    if (events) await writer.write(events.rest())
    return end()
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error
    return { ...end(), broken: error }
  }
}

/** Passes events on whole, but for long ones, and changes errors to what the client may read. */
class EventSplitter {
  #held: Buffer = Buffer.alloc(0)
  /** The beginning of the event has been passed on. */
  #isLong = false
  readonly #present: ForwardOptions['present']
  error: UpstreamFailure | undefined
  /** An event without an error was passed on. */
  hasContent = false

  constructor(present: ForwardOptions['present']) {
    this.#present = present
  }

  take(chunk: Uint8Array): Uint8Array {
    const bytes = Buffer.concat([this.#held, chunk])
    const shown: Buffer[] = []
    let from = 0
    for (let to = endOfEvent(bytes, from); to > 0; to = endOfEvent(bytes, from)) {
      shown.push(this.#shown(bytes.subarray(from, to)))
      this.#isLong = false
      from = to
    }
    const rest = bytes.subarray(from)
    this.#isLong ||= rest.length > LONGEST_ERROR_BYTES
    // The mark of its end may have begun.
    const passed = this.#isLong ? Math.max(0, rest.length - MARK_BYTES) : 0
    shown.push(rest.subarray(0, passed))
    this.#held = rest.subarray(passed)
    return Buffer.concat(shown)
  }

  /** What is left when the stream is over. */
  rest(): Buffer {
    const rest = this.#shown(this.#held)
    this.#held = Buffer.alloc(0)
    return rest
  }

  #shown(event: Buffer): Buffer {
    if (this.#isLong || event.length > LONGEST_ERROR_BYTES) {
      this.hasContent = true
      return event
    }
    const lines = event.toString('utf8').split(/\r?\n/)
    const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice('data:'.length))
    const name = lines.find((line) => line.startsWith('event:'))
    const tree = data.length > 0 ? parseJsonObject(data.join('\n')) : undefined
    const error = errorIn(tree, data.join('\n'), name)
    if (error === undefined) {
      this.hasContent ||= tree !== undefined
      return event
    }
    const failure = failureFromError(error)
    this.error ??= failure
    const shown = JSON.stringify(presented(tree, this.#present(failure)))
    return Buffer.from(`${name === undefined ? '' : `${name}\n`}data: ${shown}\n\n`)
  }
}

/** The error of an event, in any of the forms that providers have; undefined when it holds none. */
function errorIn(tree: JsonObject | undefined, data: string, name: string | undefined): unknown {
  if (asJsonObject(tree?.error) ?? asText(tree?.error)) return tree!.error
  const isNamed = name !== undefined && name.slice('event:'.length).trim() === 'error'
  return tree?.type === 'error' || isNamed ? (tree ?? data) : undefined
}

/** The event with what the client may read of its error, in the same place. */
function presented(tree: JsonObject | undefined, error: WireError): object {
  if (!tree || asJsonObject(tree.error)) return { type: 'error', ...tree, error }
  if (tree.error !== undefined) return { ...tree, error: error.message }
  return { ...tree, code: error.code, message: error.message, param: error.param }
}

/** The place after the blank line that ends an event, or 0. */
function endOfEvent(bytes: Buffer, from: number): number {
  const ends = ['\n\n', '\r\n\r\n'].flatMap((mark) => {
    const at = bytes.indexOf(mark, from)
    return at < 0 ? [] : [at + mark.length]
  })
  return ends.length === 0 ? 0 : Math.min(...ends)
}
