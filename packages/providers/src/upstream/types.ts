import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { SocketRequest, UpstreamSocket } from './open-socket.ts'

/** How long to wait, in milliseconds: for a connection, for the headers after that, and between two pieces of a body. */
export interface Deadlines {
  readonly connectMs: number
  readonly firstByteMs: number
  readonly idleMs: number
}

export interface UpstreamRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  /** In its place where it is large and held in pieces; its length must be in the headers. */
  readonly bodyStream?: Readable
  /** Aborting closes the connection to the vendor at once. */
  readonly signal?: AbortSignal
  readonly deadlines?: Partial<Omit<Deadlines, 'connectMs'>>
  /** An http, https or socks5 address, with credentials if it needs them. */
  readonly proxy?: string
  /** A connection of its own: worth it where calls are few and a connection that is just closing would spoil one. */
  readonly single?: boolean
}

/** An answer whose headers have arrived. It must be read to its end, finished or aborted. */
export interface UpstreamResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Bytes received and not yet read; bounded, for the vendor is made to wait. */
  readonly bufferedBytes: number
  /** The next piece of the body, `undefined` at its end. Throws an UpstreamFailure when it breaks. */
  read(): Promise<Uint8Array | undefined>
  /** The longest silence from now on; until then the one given with the request holds. */
  limitSilence(milliseconds: number): void
  /** Nothing more is wanted: lets a body that is about to end do so, that the connection may serve again. */
  finish(): void
  abort(): void
}

export interface UpstreamClient {
  /** It also leads into this machine and its private networks. */
  readonly allowsPrivateAddresses?: boolean
  /** Resolves with the headers of whatever status; throws an UpstreamFailure when there are none. */
  open(request: UpstreamRequest): Promise<UpstreamResponse>
  /** Connects for both sides to speak; throws an UpstreamFailure when the vendor does not agree. */
  openSocket(request: SocketRequest): Promise<UpstreamSocket>
  close(): Promise<void>
}

export interface UpstreamOptions {
  /** Let channels point into this machine and its private networks. */
  readonly allowPrivateAddresses?: boolean
  readonly deadlines?: Partial<Deadlines>
}
