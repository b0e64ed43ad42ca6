import { asJsonObject, parseJsonObject, type JsonObject, type WireError } from '@tidegate/dialects'
import { errorInBody, failureFromError, UpstreamFailure, type UpstreamResponse } from '@tidegate/providers'
import { forwardedHeaders, type ResponseWriter } from '../http/response-writer.ts'

/** The last event of a stream has the usage, so only the end is kept. */
const TAIL_BYTES = 64 * 1024
/** Errors are short. Longer events hold images or audio: they are forwarded in parts and not parsed. */
const MAX_ERROR_BYTES = 64 * 1024
const PARTIAL_MARK_BYTES = '\r\n\r\n'.length - 1

export interface ForwardedBytes {
  /** The end of an event stream, as text; blank for other content. */
  readonly tail: string
  /** Why it stopped before its end. */
  readonly broken?: UpstreamFailure
  /** An error that the provider sent as an event. */
  readonly error?: UpstreamFailure
  /** Something other than an error was forwarded. */
  readonly hasContent: boolean
}

interface ForwardOptions {
  readonly response: UpstreamResponse
  readonly first: Uint8Array | undefined
  /** The error that the client may see. */
  present(failure: UpstreamFailure): WireError
}

/** Forwards bytes as they arrive, at the pace of the client. The caller ends the response. */
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
      const shown = events ? events.push(chunk) : chunk
      if (shown.length > 0) await writer.write(shown)
      if (writer.isClosed) response.abort()
    }
    if (events) await writer.write(events.flush())
    return end()
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error
    return { ...end(), broken: error }
  }
}

/** Forwards whole events, except for long ones, and replaces errors with what the client may see. */
class EventSplitter {
  #held: Buffer = Buffer.alloc(0)
  /** The beginning of the event has been forwarded. */
  #isLong = false
  readonly #present: ForwardOptions['present']
  error: UpstreamFailure | undefined
  /** An event without an error was forwarded. */
  hasContent = false

  constructor(present: ForwardOptions['present']) {
    this.#present = present
  }

  push(chunk: Uint8Array): Uint8Array {
    const bytes = Buffer.concat([this.#held, chunk])
    const shown: Buffer[] = []
    let from = 0
    for (let to = endOfEvent(bytes, from); to > 0; to = endOfEvent(bytes, from)) {
      shown.push(this.#rewrite(bytes.subarray(from, to)))
      this.#isLong = false
      from = to
    }
    const rest = bytes.subarray(from)
    this.#isLong ||= rest.length > MAX_ERROR_BYTES
    // The end mark may have begun.
    const passed = this.#isLong ? Math.max(0, rest.length - PARTIAL_MARK_BYTES) : 0
    shown.push(rest.subarray(0, passed))
    this.#held = rest.subarray(passed)
    return Buffer.concat(shown)
  }

  /** The remaining bytes when the stream ends. */
  flush(): Buffer {
    const rest = this.#rewrite(this.#held)
    this.#held = Buffer.alloc(0)
    return rest
  }

  #rewrite(event: Buffer): Buffer {
    if (this.#isLong || event.length > MAX_ERROR_BYTES) {
      this.hasContent = true
      return event
    }
    const lines = event.toString('utf8').split(/\r?\n/)
    const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice('data:'.length))
    const name = lines.find((line) => line.startsWith('event:'))
    const json = data.length > 0 ? parseJsonObject(data.join('\n')) : undefined
    const isNamed = name !== undefined && name.slice('event:'.length).trim() === 'error'
    const error = (json && errorInBody(json)) ?? (isNamed ? (json ?? data.join('\n')) : undefined)
    if (error === undefined) {
      this.hasContent ||= json !== undefined
      return event
    }
    const failure = failureFromError(error)
    this.error ??= failure
    const shown = JSON.stringify(replaceError(json, this.#present(failure)))
    return Buffer.from(`${name === undefined ? '' : `${name}\n`}data: ${shown}\n\n`)
  }
}

/** The event with its error replaced by what the client may see. */
function replaceError(json: JsonObject | undefined, error: WireError): object {
  if (!json || asJsonObject(json.error)) return { type: 'error', ...json, error }
  if (json.error !== undefined) return { ...json, error: error.message }
  return { ...json, code: error.code, message: error.message, param: error.param }
}

/** The index after the blank line that ends an event, or 0. */
function endOfEvent(bytes: Buffer, from: number): number {
  const ends = ['\n\n', '\r\n\r\n'].flatMap((mark) => {
    const at = bytes.indexOf(mark, from)
    return at < 0 ? [] : [at + mark.length]
  })
  return ends.length === 0 ? 0 : Math.min(...ends)
}
