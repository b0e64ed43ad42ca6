import { findImbalances, findStraySums, type Imbalance, type StraySum } from '@tidegate/ledger'
import type { Db, Vault } from '@tidegate/storage'
import { Report, type Counts, type Finding } from '../report.ts'
import { compareBalances, type Difference } from './compare-balances.ts'
import { startJourney, type Journey, type JourneyOrder } from './import-source.ts'
import { loadCargo } from './load-import.ts'
import { countLogs, moveLogs } from './load-logs.ts'
import { PresentRows } from '../plan/present-rows.ts'
import { weighCargo } from '../plan/plan-import.ts'

export interface Site {
  readonly db: Db
  readonly vault: Vault
  readonly version: string
}

export interface MoveInOrder extends JourneyOrder {
  /** Otherwise only the report is made. */
  readonly go: boolean
  readonly skipClashes: boolean
  readonly logs: boolean
  readonly since: Date | undefined
}

export interface MoveIn {
  readonly product: string
  readonly source: string
  readonly counts: Report['counts']
  readonly findings: readonly Finding[]
  /** Whether anything was written. */
  readonly moved: boolean
  /** Only after a run that was to write. */
  readonly proof?: Proof
}

export interface Proof {
  readonly compared: number
  readonly differences: readonly Difference[]
  readonly imbalances: readonly Imbalance[]
  readonly straySums: readonly StraySum[]
}

export type { Counts, Difference, Finding }

/** Says what a move would bring, or makes it: all but the log in one transaction, and then the proof that it is right. */
export async function moveIn(site: Site, order: MoveInOrder): Promise<MoveIn> {
  const journey = await startJourney(site, order)
  try {
    const report = new Report()
    const moved = await carry(site, journey, order, report)
    const { product, source } = journey
    const proof = order.go && report.clashes.length === 0 ? { proof: await prove(site, journey) } : {}
    return { product, source, counts: report.counts, findings: report.findings, moved, ...proof }
  } finally {
    await journey.close()
  }
}

async function carry(site: Site, journey: Journey, order: MoveInOrder, report: Report): Promise<boolean> {
  const { source, database } = journey
  const cargo = await journey.read(report)
  const weigh = (db: Db) =>
    weighCargo({ db, vault: site.vault }, cargo, { source, report, skipClashes: order.skipClashes })
  const logOrder = (present: PresentRows) => ({
    name: source,
    product: database!.product,
    present,
    since: order.since,
    report,
  })
  if (!order.go) {
    const { present } = await weigh(site.db)
    if (order.logs && database) await countLogs(database.source, logOrder(present))
    return false
  }
  const loaded = await site.db.transaction().execute(async (transaction) => {
    // Two runs side by side would both find an empty site: the second waits here and finds what the first brought.
    await transaction.selectFrom('catalog_version').select('id').forUpdate().execute()
    const load = await weigh(transaction)
    if (report.clashes.length > 0) return false
    return loadCargo(transaction, site.vault, load, { source, version: site.version })
  })
  if (!order.logs || !database || report.clashes.length > 0) return loaded
  await moveLogs(site.db, database.source, logOrder(await PresentRows.of(site.db, source)))
  return loaded || report.counts.logs.carried > 0
}

/** The source is read again: what changed there since is a difference too. */
async function prove({ db }: Site, journey: Journey): Promise<Proof> {
  const cargo = await journey.read(new Report())
  const present = await PresentRows.of(db, journey.source)
  return {
    compared:
      cargo.users.filter(({ sourceId }) => present.has('user', sourceId)).length +
      cargo.tokens.filter(({ sourceId }) => present.has('token', sourceId)).length,
    differences: await compareBalances(db, present, cargo),
    imbalances: await findImbalances(db),
    straySums: await findStraySums(db),
  }
}
