import { Agent, ProxyAgent, type Dispatcher } from 'undici'
import { requireEgressUnresolved } from './egress.ts'
import { guardedConnector } from './guard-address.ts'

export interface Pools {
  /** Connections to the origin of an address, direct or by way of a proxy. */
  dispatcherFor(url: string, proxy: string | undefined): Dispatcher
  close(): Promise<void>
}

// Ours are finer: they know a slow reader from a silent vendor.
const NO_TIMEOUTS = { headersTimeout: 0, bodyTimeout: 0 }
const KEEP_ALIVE_MS = 10_000

/** Keeps connections open to be used again: one set of pools for direct calls, one for each proxy. */
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
      // The proxy looks the target up, so only its name can be checked here.
      for (const address of [proxy, url]) requireEgressUnresolved(address)
      let pool = proxied.get(proxy)
      if (!pool) {
        // May be private: the one address dialled is the proxy's, which the operator entered, and it is often a local one.
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
