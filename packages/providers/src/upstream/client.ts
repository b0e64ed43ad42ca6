import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { Exchange } from './exchange.ts'
import { failureOf } from './name-failure.ts'
import { openSocket, type SocketRequest, type UpstreamSocket } from './open-socket.ts'
import { createPools } from './pools.ts'

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

interface Address {
  readonly origin: string
  readonly path: string
}

const MOST_ADDRESSES = 5_000
/** Longer ones are of files, and asked for once. */
const LONGEST_KEPT = 300
const addresses = new Map<string, Address>()

/** Taken apart once: calls go to few addresses, over and over. */
function addressOf(url: string): Address {
  const known = addresses.get(url)
  if (known) return known
  const { origin, pathname, search } = new URL(url)
  const address = { origin, path: pathname + search }
  if (url.length > LONGEST_KEPT) return address
  if (addresses.size >= MOST_ADDRESSES) addresses.clear()
  addresses.set(url, address)
  return address
}

const DEFAULT_DEADLINES: Deadlines = { connectMs: 10_000, firstByteMs: 120_000, idleMs: 60_000 }

/** The one HTTP client towards vendors: a pool per origin and proxy, every address checked when dialled, no redirects. */
export function createUpstreamClient(options: UpstreamOptions = {}): UpstreamClient {
  const deadlines = { ...DEFAULT_DEADLINES, ...options.deadlines }
  const { allowPrivateAddresses = false } = options
  const pools = createPools({ connectMs: deadlines.connectMs, allowPrivateAddresses })

  const poolFor = ({ url, proxy }: SocketRequest) => {
    try {
      return pools.to(url, proxy)
    } catch (error) {
      throw failureOf(error)
    }
  }
  return {
    allowsPrivateAddresses: allowPrivateAddresses,
    open({ url, method, headers, body, bodyStream, signal, proxy, single = false, deadlines: own }) {
      const exchange = new Exchange({ ...deadlines, ...own }, signal)
      try {
        const { origin, path } = addressOf(url)
        const request = { origin, path, method, headers, body: bodyStream ?? body, reset: single }
        pools.to(url, proxy).dispatch(request, exchange)
      } catch (error) {
        exchange.abort()
        exchange.headersReceived.catch(() => {}) // replaced by the error that says what is wrong with the request
        return Promise.reject(failureOf(error))
      }
      return exchange.headersReceived
    },
    openSocket: async (request) => openSocket(poolFor(request), request),
    close: () => pools.close(),
  }
}
