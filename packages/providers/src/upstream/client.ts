import { cacheLimit } from '@tidegate/contract'
import { LRUCache } from 'lru-cache'
import { Exchange } from './exchange.ts'
import { failureFromClientError } from './failure.ts'
import { openSocket, type SocketRequest } from './open-socket.ts'
import { createPools } from './pools.ts'
import type { Deadlines, UpstreamClient, UpstreamOptions } from './types.ts'

const DEFAULT_DEADLINES: Deadlines = { connectMs: 10_000, firstByteMs: 120_000, idleMs: 60_000 }

/**
 * The only HTTP client for providers: one pool per origin and proxy, every address checked before connecting, no
 * redirects.
 */
export function createUpstreamClient(options: UpstreamOptions = {}): UpstreamClient {
  const deadlines = { ...DEFAULT_DEADLINES, ...options.deadlines }
  const { allowPrivateAddresses = false } = options
  const pools = createPools({ connectMs: deadlines.connectMs, allowPrivateAddresses })

  const poolFor = ({ url, proxy }: SocketRequest) => {
    try {
      return pools.dispatcherFor(url, proxy)
    } catch (error) {
      throw failureFromClientError(error)
    }
  }
  return {
    allowsPrivateAddresses: allowPrivateAddresses,
    open({ url, method, headers, body, bodyStream, signal, proxy, single = false, deadlines: own }) {
      const exchange = new Exchange({ ...deadlines, ...own }, signal)
      try {
        const { origin, path } = parseAddress(url)
        const request = { origin, path, method, headers, body: bodyStream ?? body, reset: single }
        pools.dispatcherFor(url, proxy).dispatch(request, exchange)
      } catch (error) {
        exchange.abort()
        return Promise.reject(failureFromClientError(error))
      }
      return exchange.receiveHeaders()
    },
    post({ url, origin, path, headers, proxy }, body, own) {
      const { connectMs } = deadlines
      const exchange = new Exchange({ connectMs, firstByteMs: own.firstByteMs, idleMs: own.idleMs })
      try {
        const dispatcher = pools.dispatcherFor(url, proxy)
        dispatcher.dispatch({ origin, path, method: 'POST', headers: headers as string[], body }, exchange)
      } catch (error) {
        exchange.abort()
        throw failureFromClientError(error)
      }
      return exchange
    },
    openSocket: async (request) => openSocket(poolFor(request), request),
    close: () => pools.close(),
  }
}

interface Address {
  readonly origin: string
  readonly path: string
}

const MAX_CACHED_ADDRESSES = 5_000
/** Longer URLs are files, requested once. */
const MAX_CACHED_URL_LENGTH = 300
const addresses = new LRUCache<string, Address>(cacheLimit(MAX_CACHED_ADDRESSES))

/** Caches parsed URLs, because requests go to few addresses. */
export function parseAddress(url: string): Address {
  const known = addresses.get(url)
  if (known) return known
  const { origin, pathname, search } = new URL(url)
  const address = { origin, path: pathname + search }
  if (url.length > MAX_CACHED_URL_LENGTH) return address
  addresses.set(url, address)
  return address
}
