import { createClientAddress } from '@tidegate/control'
import { createGateway, type Gateway } from '@tidegate/gateway'
import { createCredit, renewLeases } from '@tidegate/ledger'
import { createUpstreamClient } from '@tidegate/providers'
import type { Environment } from '../environment.ts'
import { createCallers } from './callers.ts'
import type { Node } from './node.ts'

/** A third of the time a lease lives without one, so that one lost sign of life does no harm. */
const HEARTBEAT_MS = 30_000

export interface RunningGateway extends Pick<Gateway, 'handle' | 'matches' | 'openCalls' | 'drain'> {
  stop(): Promise<void>
}

/** Plugs the data plane into storage and the ledger. */
export function startGateway(node: Node, environment: Environment): RunningGateway {
  const { db } = node.storage.database
  const clientAddress = createClientAddress(environment.TIDEGATE_TRUSTED_PROXIES)
  const upstream = createUpstreamClient({ allowPrivateAddresses: environment.TIDEGATE_ALLOW_PRIVATE_UPSTREAMS })
  const gateway = createGateway({
    callers: createCallers({ db, vault: node.storage.vault, notices: node.notices }),
    catalog: () => node.feed.current(),
    credit: createCredit({
      db,
      holder: node.id,
      keepLog: () => node.feed.current().settings.LogConsumeEnabled,
      log: node.log,
    }),
    upstream,
    clientAddress: (request) => clientAddress(request, node.feed.current().settings),
    now: () => Date.now(),
    random: Math.random,
    log: node.log,
    observe: (event) => node.observers.forEach((observer) => observer(event)),
  })
  const heartbeat = setInterval(() => {
    renewLeases(db, node.id).catch((error: unknown) => node.log.warn({ err: error }, 'leases could not be renewed'))
  }, HEARTBEAT_MS)
  return {
    handle: gateway.handle,
    matches: gateway.matches,
    openCalls: gateway.openCalls,
    drain: gateway.drain,
    async stop() {
      clearInterval(heartbeat)
      await upstream.close()
    },
  }
}
