import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { commentFrame } from '@tidegate/dialects'

/** Names and values in turn: Node writes such a list as it is. */
type HeaderList = string[]

const STREAM_HEADERS = [
  'content-type',
  'text/event-stream',
  'cache-control',
  'no-cache, no-store',
  'connection',
  'keep-alive',
  'x-accel-buffering',
  'no',
]

/** How long a client has to receive the last bytes of a request that was ended. */
const LAST_WRITE_MS = 1_000

/** Pings while there is nothing to send. */
type KeepAlive = ({ readonly frame: string } | { readonly comment: string }) & {
  /** Sent when nothing else was sent for this long. */
  readonly everyMs: number
  /** The first ping opens the stream, at the latest after this time. */
  readonly firstMs: number
}

/**
 * Writes the response to one client. Ensures that headers are sent once, that a stream is opened before it is written,
 * and that a slow client slows the writer down.
 */
export class ResponseWriter {
  readonly #response: ServerResponse
  #streaming = false
  #keepAlive: NodeJS.Timeout | undefined
  readonly #headers: HeaderList
  #lateHeaders: LateHeaders | undefined
  #isAbandoned = false
  #detached = false
  #stopWaiting: (() => void) | undefined

  /** `headers` are part of every response: names and values in turn. The writer keeps the list. */
  constructor(response: ServerResponse, headers: HeaderList = []) {
    this.#response = response
    this.#headers = headers
  }

  /** The client has disconnected, or receives nothing more. */
  get isClosed(): boolean {
    return this.#isAbandoned || (this.#response.destroyed && !this.#response.writableFinished)
  }

  /** Nothing can be sent any more. */
  get #isOver(): boolean {
    return this.#isAbandoned || this.#response.destroyed || this.#response.writableEnded
  }

  /** The connection was upgraded to another protocol. */
  get detached(): boolean {
    return this.#detached
  }

  detach(): void {
    this.#detached = true
  }

  /** The headers of a stream are sent: errors must be events from now on. */
  get streaming(): boolean {
    return this.#streaming
  }

  /** Adds headers to the response. Later values replace earlier ones. */
  addHeaders(headers: Readonly<Record<string, string>>): void {
    for (const name in headers) setHeader(this.#headers, name, headers[name]!)
  }

  /** Sets what adds headers that are known only when the response begins. */
  addLateHeaders(headers: LateHeaders): void {
    this.#lateHeaders = headers
  }

  /**
   * Responses are private, and browsers must not guess the type of provider content: unless `own` says otherwise.
   * Written in one call, as one list: setting each header costs as much again.
   */
  #writeHead(status: number, own: HeaderList): ServerResponse {
    const list = this.#headers
    this.#lateHeaders?.addTo(list)
    list.push('cache-control', 'no-store', 'x-content-type-options', 'nosniff')
    for (let at = 0; at < own.length; at += 2) setHeader(list, own[at]!, own[at + 1]!)
    return this.#response.writeHead(status, list)
  }

  send(status: number, headers: OutgoingHttpHeaders, body: Uint8Array | string): void {
    this.sendList(status, listOf(headers), body)
  }

  /** Sends a whole response. `headers` has names and values in turn; the writer keeps the list. */
  sendList(status: number, headers: HeaderList, body: Uint8Array | string): void {
    clearTimeout(this.#keepAlive)
    if (this.#response.headersSent || this.#isOver) return
    headers.push('content-length', String(Buffer.byteLength(body)))
    this.#writeHead(status, headers).end(body)
  }

  sendJson(status: number, body: unknown, headers: OutgoingHttpHeaders = {}): void {
    this.send(status, { ...headers, 'content-type': 'application/json; charset=utf-8' }, JSON.stringify(body))
  }

  /** Opens a response that is forwarded in parts. */
  openRaw(status: number, headers: OutgoingHttpHeaders): void {
    if (this.#streaming || this.#response.headersSent || this.#isOver) return
    this.#streaming = true
    this.#writeHead(status, listOf(headers))
  }

  openStream(): void {
    if (this.#streaming || this.#response.headersSent || this.#isOver) return
    this.#streaming = true
    this.#writeHead(200, STREAM_HEADERS)
  }

  /** Resolves when the client can take more; `undefined` when it can now. */
  write(data: Uint8Array | string): Promise<void> | undefined {
    this.openStream()
    if (this.#isOver) return undefined
    this.#keepAlive?.refresh()
    return this.#response.write(data) ? undefined : this.#waitForDrain()
  }

  end(last: string | Uint8Array): void {
    clearTimeout(this.#keepAlive)
    if (this.#isOver) return
    if (last.length === 0) this.#response.end()
    else this.#response.end(last)
  }

  /** Ends without the end mark: the client sees that the response is incomplete. */
  cut(): void {
    clearTimeout(this.#keepAlive)
    this.#response.destroy()
  }

  /** From now on the client counts as disconnected, after the last bytes. */
  abandon(): void {
    clearTimeout(this.#keepAlive)
    this.#isAbandoned = true
    this.#stopWaiting?.()
    // A client that does not read could keep the connection open forever.
    const close = () => this.#response.writableFinished || this.#response.destroy()
    setTimeout(close, LAST_WRITE_MS).unref()
  }

  /** Starts pings. A later call replaces an earlier one. */
  keepAlive(pings: KeepAlive): void {
    if (this.#isOver) return // its close event has fired, and nothing else would stop the timer
    if (this.#keepAlive) clearTimeout(this.#keepAlive)
    else this.#response.once('close', () => clearTimeout(this.#keepAlive))
    const frame = 'frame' in pings ? pings.frame : commentFrame(pings.comment)
    const send = () => {
      // No pings for a client that has not read the previous bytes.
      if (!this.#response.writableNeedDrain) void this.write(frame)
    }
    const ping = () => {
      this.#keepAlive = setInterval(send, pings.everyMs)
      send()
    }
    if (pings.firstMs === 0) ping()
    else this.#keepAlive = setTimeout(ping, Math.min(pings.firstMs, pings.everyMs))
  }

  #waitForDrain(): Promise<void> {
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

/** Some responses go to pages on the console's origin, so headers that a browser or cache acts on are not forwarded. */
const FORWARDED = new Set(['content-type', 'content-language', 'content-disposition', 'retry-after'])
/** The provider's processing time and API version. */
const PROVIDER_INFO = /^(?!x-)[a-z0-9-]+-(?:processing-ms|version)$/
/** The gateway sends its own request ids under the usual names. */
const REQUEST_ID = /^(?:x-)?((?:[a-z0-9-]+-)?request-?id)$/

/** Replaces an earlier value. */
function setHeader(list: HeaderList, name: string, value: string): void {
  for (let at = 0; at < list.length; at += 2) {
    if (list[at] !== name) continue
    list[at + 1] = value
    return
  }
  list.push(name, value)
}

/** Adds headers that are known only when a response begins. */
export interface LateHeaders {
  addTo(headers: HeaderList): void
}

/** The headers of a provider's response that are forwarded. */
export function forwardedHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const forwarded: OutgoingHttpHeaders = {}
  for (const name in headers) {
    const forwardedName = forwardedNameOf(name)
    if (forwardedName !== undefined) forwarded[forwardedName] = headers[name]
  }
  return forwarded
}

/** The same as a list. */
export function forwardedList(headers: IncomingHttpHeaders): string[] {
  const list: string[] = []
  for (const name in headers) {
    const forwardedName = forwardedNameOf(name)
    if (forwardedName !== undefined) addHeader(list, forwardedName, headers[name])
  }
  return list
}

function listOf(headers: OutgoingHttpHeaders): string[] {
  const list: string[] = []
  for (const name in headers) addHeader(list, name.toLowerCase(), headers[name])
  return list
}

/** The values of a repeated header are joined. */
function addHeader(list: string[], name: string, value: OutgoingHttpHeaders[string]): void {
  if (value !== undefined) list.push(name, Array.isArray(value) ? value.join(', ') : String(value))
}

/** Decisions by name. Providers use few names; beyond this number they are decided again. */
const MAX_DECISIONS = 1_000
const decisions = new Map<string, string | undefined>()

function forwardedNameOf(name: string): string | undefined {
  if (decisions.has(name)) return decisions.get(name)
  const decision = decideName(name)
  if (decisions.size < MAX_DECISIONS) decisions.set(name, decision)
  return decision
}

function decideName(name: string): string | undefined {
  if (FORWARDED.has(name) || PROVIDER_INFO.test(name)) return name
  const requestId = REQUEST_ID.exec(name)?.[1]
  return requestId === undefined ? undefined : `x-upstream-${requestId}`
}
