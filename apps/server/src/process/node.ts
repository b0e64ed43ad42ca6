import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { GatewayEvent } from '@tidegate/gateway'
import {
  type CatalogFeed,
  type Db,
  describeSchemaProblem,
  inspectSchema,
  migrateToLatest,
  type SharedNotices,
  shareNotices,
  startCatalogFeed,
} from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { openStorage, type Storage } from './open-storage.ts'

/** One process of the site: its name, its state, and what keeps it in step with the others. */
export interface ServerNode {
  /** Unique for every start, so that nothing of an earlier process is taken for this one's. */
  readonly id: string
  readonly storage: Storage
  readonly notices: SharedNotices
  readonly feed: CatalogFeed
  readonly log: Logger
  /** Receives events of the data plane and failed authentications, for the metrics. */
  readonly observers: Set<(event: GatewayEvent) => void>
  close(): Promise<void>
}

export async function openNode(environment: Environment, log: Logger): Promise<ServerNode> {
  const storage = await openStorage(environment, log)
  try {
    const { db, newClient } = storage.database
    await prepareSchema(db, environment.TIDEGATE_MIGRATE, log)
    const notices = await shareNotices(newClient, { log })
    const feed = await startCatalogFeed({ db, vault: storage.vault, notices, log })
    return {
      id: `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`,
      storage,
      notices,
      feed,
      log,
      observers: new Set(),
      async close() {
        await feed.stop()
        await notices.stop()
        await storage.close()
      },
    }
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** Serving on a schema of another build would corrupt it: bring it up to date, or refuse and say why. */
async function prepareSchema(db: Db, mode: Environment['TIDEGATE_MIGRATE'], log: Logger): Promise<void> {
  if (mode === 'auto') {
    const applied = await migrateToLatest(db)
    if (applied.length > 0) log.info({ applied }, 'the schema was brought up to date')
  }
  const problem = describeSchemaProblem(await inspectSchema(db))
  if (problem !== undefined) throw new Error(problem)
}
