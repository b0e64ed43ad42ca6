import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { SocketRequest, UpstreamSocket } from './open-socket.ts'

/** Timeouts in milliseconds: to connect, then for the headers, and between two chunks of the body. */
export interface Deadlines {
  readonly connectMs: number
  readonly firstByteMs: number
  readonly idleMs: number
}

export interface UpstreamRequest {
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  /** Instead of `body`, for large bodies; the headers must contain its length. */
  readonly bodyStream?: Readable
  /** Aborting closes the connection at once. */
  readonly signal?: AbortSignal
  readonly deadlines?: Partial<Omit<Deadlines, 'connectMs'>>
  /** An http, https or socks5 URL, with credentials if needed. */
  readonly proxy?: string
  /** Uses its own connection, for rare requests that must not fail because a reused connection is closing. */
  readonly single?: boolean
}

/** A response whose headers have arrived. It must be read to its end, finished or aborted. */
export interface UpstreamResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Bytes received and not yet read; bounded by backpressure. */
  readonly bufferedBytes: number
  /** The next chunk of the body, or undefined at its end. Throws an UpstreamFailure if it fails. */
  read(): Promise<Uint8Array | undefined>
  /** Changes the idle timeout from now on. */
  limitSilence(milliseconds: number): void
  /** Nothing more is needed: discards the rest if it ends soon, so that the connection can be reused. */
  finish(): void
  abort(): void
}

/** A request whose URL and headers are ready. The same object is sent again and again. */
export interface PreparedRequest {
  readonly url: string
  readonly origin: string
  readonly path: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  /** As in `UpstreamRequest`. */
  readonly proxy: string | undefined
}

/** A request that was sent, and its response as soon as it arrives. */
export interface UpstreamExchange extends UpstreamResponse {
  /** Resolves when the headers arrive. Throws an UpstreamFailure if there are none. */
  receiveHeaders(): Promise<UpstreamResponse>
  /**
   * Resolves with the body of a whole response. Undefined for an error status, a compressed body and a large one: then
   * the response has headers, and its body is still to be read. Throws an UpstreamFailure if it fails.
   */
  receiveWhole(): Promise<Uint8Array | undefined>
}

export interface UpstreamClient {
  /** Whether it also connects to private addresses. */
  readonly allowsPrivateAddresses?: boolean
  /** Posts to a prepared address, without a promise. Throws an UpstreamFailure for an address that is not allowed. */
  post(request: PreparedRequest, body: Uint8Array, deadlines: Omit<Deadlines, 'connectMs'>): UpstreamExchange
  /** Resolves with the headers for any status; throws an UpstreamFailure if there are none. */
  open(request: UpstreamRequest): Promise<UpstreamResponse>
  /** Opens a websocket; throws an UpstreamFailure if the provider rejects it. */
  openSocket(request: SocketRequest): Promise<UpstreamSocket>
  close(): Promise<void>
}

export interface UpstreamOptions {
  /** Allows channels with private addresses. */
  readonly allowPrivateAddresses?: boolean
  readonly deadlines?: Partial<Deadlines>
}
