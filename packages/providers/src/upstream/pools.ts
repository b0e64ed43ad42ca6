import { Agent, ProxyAgent, type Dispatcher } from 'undici'
import { requireEgressUnresolved } from './egress.ts'
import { guardedConnector } from './guard-address.ts'

export interface Pools {
  /** The pool for a URL, direct or through a proxy. */
  dispatcherFor(url: string, proxy: string | undefined): Dispatcher
  close(): Promise<void>
}

// Our own timeouts distinguish a slow reader from a silent provider.
const NO_TIMEOUTS = { headersTimeout: 0, bodyTimeout: 0 }
const KEEP_ALIVE_MS = 10_000

/** Connection pools: one set for direct requests, one per proxy. */
export function createPools(options: { connectMs: number; allowPrivateAddresses: boolean }): Pools {
  const direct = new Agent({
    ...NO_TIMEOUTS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: guardedConnector({ timeoutMs: options.connectMs, allowPrivateAddresses: options.allowPrivateAddresses }),
  })
  const proxied = new Map<string, Dispatcher>()

  return {
    dispatcherFor(url, proxy) {
      if (!proxy) return direct
      // The proxy resolves the target, so only its name can be checked here.
      for (const address of [proxy, url]) requireEgressUnresolved(address)
      let pool = proxied.get(proxy)
      if (!pool) {
        // Private addresses are allowed: the operator entered the proxy, and it is often local.
        pool = new ProxyAgent({
          uri: proxy,
          ...NO_TIMEOUTS,
          keepAliveTimeout: KEEP_ALIVE_MS,
          connectTimeout: options.connectMs,
          allowH2: false,
        })
        proxied.set(proxy, pool)
      }
      return pool
    },
    async close() {
      await Promise.all([direct, ...proxied.values()].map((pool) => pool.destroy()))
    },
  }
}
