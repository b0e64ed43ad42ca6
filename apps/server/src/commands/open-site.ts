import { verifyAuditTrail } from '@tidegate/control'
import { verifyLedger } from '@tidegate/ledger'
import {
  connectDatabase,
  countServingConnections,
  type DatabaseHandle,
  type Db,
  describeSchemaProblem,
  inspectSchema,
  loadKeyRing,
} from '@tidegate/storage'
import type { Client } from 'pg'
import type { Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { openDatabase, openSiteVault } from '../process/open-storage.ts'
import { CommandError } from './command-error.ts'

/** Source or target database of a copy, with the connection that copies. */
export interface SiteConnection {
  db: Db
  client: Client
}

/** Distinguishes commands from processes that serve. */
const APPLICATION_NAME = 'tidegate-copy'

/** Opens the site of this installation while `work` runs. */
export async function withSite<Result>(
  environment: Environment,
  log: Logger,
  work: (site: SiteConnection) => Promise<Result>,
): Promise<Result> {
  const { database, stop } = await openDatabase(environment, log, APPLICATION_NAME)
  try {
    return await withClient(database, work)
  } finally {
    await database.close()
    await stop()
  }
}

export async function withDatabaseAt<Result>(
  url: string,
  log: Logger,
  work: (site: SiteConnection) => Promise<Result>,
): Promise<Result> {
  const database = connectDatabase({ url, poolSize: 2, applicationName: APPLICATION_NAME, log })
  try {
    return await withClient(database, work)
  } finally {
    await database.close()
  }
}

async function withClient<Result>(
  { db, newClient }: DatabaseHandle,
  work: (site: SiteConnection) => Promise<Result>,
): Promise<Result> {
  const client = newClient()
  client.on('error', () => {}) // pending queries reject with the error
  await client.connect().catch((error: Error) => {
    throw new CommandError(`The database does not respond: ${error.message}`)
  })
  try {
    return await work({ db, client })
  } finally {
    await client.end()
  }
}

/** Only a schema of this build can be copied: its tables are known. */
export async function requireCurrent(db: Db): Promise<void> {
  const state = await inspectSchema(db)
  const problem = describeSchemaProblem(state)
  if (problem !== undefined) throw new CommandError(problem)
  if (state.kind === 'compatible') {
    throw new CommandError(
      `A newer build migrated the database (${state.unknown.join(', ')}): run this command with that build.`,
    )
  }
}

export async function requireIdle(db: Db, site: string): Promise<void> {
  if ((await countServingConnections(db)) > 0) {
    throw new CommandError(`A Tidegate process uses ${site}. Stop every process that uses it, then try again.`)
  }
}

/** Verifies ledger and audit trail after a copy. Returns a line for each difference. */
export async function verifyCopy(environment: Environment, db: Db): Promise<string[]> {
  const vault = await openSiteVault(environment)
  await loadKeyRing(db, vault)
  // Another log store goes on while a copy is made, so it is not compared.
  const logs = environment.TIDEGATE_LOG_STORE === undefined ? undefined : 'elsewhere'
  return [...(await verifyLedger(db, { vault, logs })).problems, ...(await verifyAuditTrail(db, { vault })).problems]
}
