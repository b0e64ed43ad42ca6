import { findImbalances, findStraySums, type Imbalance, type StraySum } from '@tidegate/ledger'
import type { Db, Vault } from '@tidegate/storage'
import type { Cargo } from '../model/import-data.ts'
import { weighCargo } from '../plan/plan-import.ts'
import { PresentRows } from '../plan/site-state.ts'
import { type Finding, Report } from '../report.ts'
import { type Journey, type JourneyOrder, startJourney } from './import-source.ts'
import { loadCargo } from './load-import.ts'
import { countLogs, moveLogs } from './load-logs.ts'
import { IMPORT_REFERENCE } from './load-users.ts'

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

export interface Difference {
  readonly what: string
  readonly source: number
  /** What it came here with. */
  readonly here: number
}

/** Every balance in the source beside what its account here was opened with; those that are not equal to the unit. */
async function compareBalances(
  db: Db,
  present: PresentRows,
  { users, tokens }: Pick<Cargo, 'users' | 'tokens'>,
): Promise<Difference[]> {
  const entries = await db
    .selectFrom('ledger_entry')
    .select(['user_id', 'token_id', 'amount'])
    .where('reference', '=', IMPORT_REFERENCE)
    .where('kind', 'in', ['setup_grant', 'token_limit'])
    .execute()
  const opened = new Map(
    entries.map(({ user_id, token_id, amount }) => [token_id === 0 ? `user ${user_id}` : `token ${token_id}`, amount]),
  )
  const compare = (kind: 'user' | 'token', name: string, sourceId: string, source: number): Difference[] => {
    const id = present.idOf(kind, sourceId)
    if (id === undefined) return []
    const here = opened.get(`${kind} ${id}`) ?? 0
    return here === source ? [] : [{ what: `${kind} ${name} (${sourceId})`, source, here }]
  }
  return [
    ...users.flatMap(({ columns, sourceId, balance }) => compare('user', columns.username, sourceId, balance)),
    ...tokens.flatMap(({ columns, sourceId, balance }) => compare('token', columns.name, sourceId, balance)),
  ]
}
