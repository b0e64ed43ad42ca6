import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { commentFrame } from '@tidegate/dialects'

/** Responses are private, and browsers must not guess types of content that providers made. */
const SAFE_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-store',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
}

/** How long a client has to take the last bytes of a call that was cut. */
const LAST_WRITE_MS = 1_000

/** Signs of life while there is nothing to send. */
type KeepAlive = ({ readonly frame: string } | { readonly comment: string }) & {
  /** Sent whenever nothing else was sent for that long. */
  readonly everyMs: number
  /** The first one opens the stream, and comes no later than this. */
  readonly firstMs: number
}

/**
 * The answer to one client. Guards that its headers go out once, that a stream is opened before it is written, and that
 * a client which reads slowly slows the writer down.
 */
export class ResponseWriter {
  readonly #response: ServerResponse
  #streaming = false
  #keepAlive: NodeJS.Timeout | undefined
  #announced: Readonly<Record<string, string>>
  #late: (() => Readonly<Record<string, string>>) | undefined
  #left = false
  #detached = false
  #stopWaiting: (() => void) | undefined

  /** With headers that the answer will have, whatever it is. */
  constructor(response: ServerResponse, headers: Readonly<Record<string, string>> = {}) {
    this.#response = response
    this.#announced = headers
  }

  /** The client is no longer there, or gets nothing more. */
  get isClosed(): boolean {
    return this.#left || (this.#response.destroyed && !this.#response.writableFinished)
  }

  /** Nothing can be sent any more. */
  get #isOver(): boolean {
    return this.#left || this.#response.destroyed || this.#response.writableEnded
  }

  /** The connection serves something else now. */
  get detached(): boolean {
    return this.#detached
  }

  detach(): void {
    this.#detached = true
  }

  /** Headers of a stream are out: from now on even a refusal must be an event. */
  get streaming(): boolean {
    return this.#streaming
  }

  /** Further headers that the answer will have. A later call replaces what an earlier one said. */
  addHeaders(headers: Readonly<Record<string, string>>): void {
    this.#announced = { ...this.#announced, ...headers }
  }

  /** Headers that are only known when the answer begins. */
  addLateHeaders(headers: () => Readonly<Record<string, string>>): void {
    this.#late = headers
  }

  /** All at once: each header set before costs as much again. */
  #writeHead(status: number, headers: OutgoingHttpHeaders): ServerResponse {
    return this.#response.writeHead(status, { ...SAFE_HEADERS, ...this.#announced, ...this.#late?.(), ...headers })
  }

  send(status: number, headers: OutgoingHttpHeaders, body: Uint8Array | string): void {
    clearTimeout(this.#keepAlive)
    if (this.#response.headersSent || this.#isOver) return
    this.#writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
  }

  sendJson(status: number, body: unknown, headers: OutgoingHttpHeaders = {}): void {
    this.send(status, { ...headers, 'content-type': 'application/json; charset=utf-8' }, JSON.stringify(body))
  }

  /** Opens an answer of somebody else's making, which is passed on piece by piece. */
  openRaw(status: number, headers: OutgoingHttpHeaders): void {
    if (this.#streaming || this.#response.headersSent || this.#isOver) return
    this.#streaming = true
    this.#writeHead(status, headers)
  }

  openStream(): void {
    if (this.#streaming || this.#response.headersSent || this.#isOver) return
    this.#streaming = true
    this.#writeHead(200, STREAM_HEADERS)
  }

  /** Resolves when the client can take more; `undefined` when it can at once. */
  write(data: Uint8Array | string): Promise<void> | undefined {
    this.openStream()
    if (this.#isOver) return undefined
    this.#keepAlive?.refresh()
    return this.#response.write(data) ? undefined : this.#roomForMore()
  }

  end(last: string | Uint8Array): void {
    clearTimeout(this.#keepAlive)
    if (this.#isOver) return
    if (last.length === 0) this.#response.end()
    else this.#response.end(last)
  }

  /** Ends without the mark of an end: whoever reads it sees that something is missing. */
  cut(): void {
    clearTimeout(this.#keepAlive)
    this.#response.destroy()
  }

  /** From now on the client counts as one that has left, after what it was sent last. */
  leave(): void {
    clearTimeout(this.#keepAlive)
    this.#left = true
    this.#stopWaiting?.()
    // A client that does not read could keep the connection open for as long as it likes.
    const close = () => this.#response.writableFinished || this.#response.destroy()
    setTimeout(close, LAST_WRITE_MS).unref()
  }

  /** Begins to give signs of life; a later call replaces an earlier one. */
  keepAlive(signs: KeepAlive): void {
    if (this.#isOver) return // its close has been, and nothing else would end them
    if (this.#keepAlive) clearTimeout(this.#keepAlive)
    else this.#response.once('close', () => clearTimeout(this.#keepAlive))
    const frame = 'frame' in signs ? signs.frame : commentFrame(signs.comment)
    const send = () => {
      // A client that has not taken what was sent is told nothing by more of it.
      if (!this.#response.writableNeedDrain) void this.write(frame)
    }
    const ping = () => {
      this.#keepAlive = setInterval(send, signs.everyMs)
      send()
    }
    if (signs.firstMs === 0) ping()
    else this.#keepAlive = setTimeout(ping, Math.min(signs.firstMs, signs.everyMs))
  }

  #roomForMore(): Promise<void> {
    return new Promise((resolve) => {
      const proceed = () => {
        this.#response.off('drain', proceed)
        this.#response.off('close', proceed)
        this.#stopWaiting = undefined
        resolve()
      }
      this.#stopWaiting = proceed
      this.#response.once('drain', proceed)
      this.#response.once('close', proceed)
    })
  }
}

/** Some responses go to pages of the console's own origin, so nothing passes that a browser or a cache acts on. */
const FORWARDED = new Set(['content-type', 'content-language', 'content-disposition', 'retry-after'])
/** How long the provider took and which version of its API answered. */
const PROVIDER_INFO = /^(?!x-)[a-z0-9-]+-(?:processing-ms|version)$/
/** The gateway sends request ids of its own under the usual names. */
const REQUEST_ID = /^(?:x-)?((?:[a-z0-9-]+-)?request-?id)$/

/** The response headers of a provider that the client gets. */
export function forwardedHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const forwarded: OutgoingHttpHeaders = {}
  for (const name in headers) {
    const forwardedName = forwardedNameOf(name)
    if (forwardedName !== undefined) forwarded[forwardedName] = headers[name]
  }
  return forwarded
}

function forwardedNameOf(name: string): string | undefined {
  if (FORWARDED.has(name) || PROVIDER_INFO.test(name)) return name
  const requestId = REQUEST_ID.exec(name)?.[1]
  return requestId === undefined ? undefined : `x-upstream-${requestId}`
}
