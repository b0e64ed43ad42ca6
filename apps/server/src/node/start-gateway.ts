import { join } from 'node:path'
import { createClientAddress } from '@tidegate/control'
import { createGateway, type Gateway } from '@tidegate/gateway'
import { openCredit } from '@tidegate/ledger'
import { createUpstreamClient } from '@tidegate/providers'
import type { Environment } from '../environment.ts'
import { createCallers } from './callers.ts'
import type { Node } from './node.ts'

export interface RunningGateway extends Pick<Gateway, 'handle' | 'matches' | 'openCalls' | 'drain'> {
  /** Bookings that the database does not have yet. */
  waitingBookings(): number
  stop(): Promise<void>
}

/** Plugs the data plane into storage and the ledger. Books first what processes that died here have left. */
export async function startGateway(node: Node, environment: Environment): Promise<RunningGateway> {
  const { db } = node.storage.database
  const settings = () => node.feed.current().settings
  const clientAddress = createClientAddress(environment.TIDEGATE_TRUSTED_PROXIES)
  const upstream = createUpstreamClient({ allowPrivateAddresses: environment.TIDEGATE_ALLOW_PRIVATE_UPSTREAMS })
  const credit = await openCredit({
    db,
    holder: node.id,
    journals: join(environment.TIDEGATE_DATA_DIR, 'journal'),
    notices: node.notices,
    keepLog: () => settings().LogConsumeEnabled,
    log: node.log,
    syncEach: environment.TIDEGATE_JOURNAL_SYNC === 'always',
    journalLimitBytes: environment.TIDEGATE_JOURNAL_LIMIT_MB * 1024 ** 2,
  })
  const gateway = createGateway({
    callers: createCallers({ db, vault: node.storage.vault, notices: node.notices }),
    catalog: () => node.feed.current(),
    credit,
    upstream,
    clientAddress: (request) => clientAddress(request, settings()).address,
    now: () => Date.now(),
    random: Math.random,
    log: node.log,
    observe: (event) => node.observers.forEach((observer) => observer(event)),
  })
  return {
    handle: gateway.handle,
    matches: gateway.matches,
    openCalls: gateway.openCalls,
    drain: gateway.drain,
    waitingBookings: () => credit.waiting().bookings,
    async stop() {
      await upstream.close()
      await credit.stop()
    },
  }
}
