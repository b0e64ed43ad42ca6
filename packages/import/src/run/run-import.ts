import { findImbalances, findRollupDifferences, type Imbalance, type RollupDifference } from '@tidegate/ledger'
import type { Db, Vault } from '@tidegate/storage'
import type { ImportData } from '../model/import-data.ts'
import { planImport } from '../plan/plan-import.ts'
import { ImportedIds } from '../plan/site-state.ts'
import { type Finding, Report } from '../report.ts'
import { type ImportSource, type ImportSourceOptions, openImportSource } from './import-source.ts'
import { loadImport } from './load-import.ts'
import { countLogs, loadLogs } from './load-logs.ts'
import { IMPORT_REFERENCE } from './load-users.ts'

export interface Site {
  readonly db: Db
  readonly vault: Vault
  readonly version: string
}

export interface ImportOptions extends ImportSourceOptions {
  /** Otherwise only the report is made. */
  readonly go: boolean
  readonly skipClashes: boolean
  readonly logs: boolean
  readonly since: Date | undefined
}

export interface ImportResult {
  readonly product: string
  readonly source: string
  readonly counts: Report['counts']
  readonly findings: readonly Finding[]
  /** Whether anything was written. */
  readonly moved: boolean
  /** Only after a run that writes. */
  readonly proof?: ImportVerification
}

export interface ImportVerification {
  readonly compared: number
  readonly differences: readonly Difference[]
  readonly imbalances: readonly Imbalance[]
  readonly straySums: readonly RollupDifference[]
}

/**
 * Reports what an import would do, or does it: everything except the log in one transaction, followed by verification.
 */
export async function importSite(site: Site, options: ImportOptions): Promise<ImportResult> {
  const origin = await openImportSource(site, options)
  try {
    const report = new Report()
    const moved = await applyImport(site, origin, options, report)
    const { product, source } = origin
    const proof = options.go && report.clashes.length === 0 ? { proof: await verifyImport(site, origin) } : {}
    return { product, source, counts: report.counts, findings: report.findings, moved, ...proof }
  } finally {
    await origin.close()
  }
}

async function applyImport(site: Site, origin: ImportSource, options: ImportOptions, report: Report): Promise<boolean> {
  const { source, database } = origin
  const data = await origin.read(report)
  const plan = (db: Db) =>
    planImport({ db, vault: site.vault }, data, { source, report, skipClashes: options.skipClashes })
  const logOptions = (imported: ImportedIds) => ({
    name: source,
    product: database!.product,
    imported,
    since: options.since,
    report,
  })
  if (!options.go) {
    const { imported } = await plan(site.db)
    if (options.logs && database) await countLogs(database.source, logOptions(imported))
    return false
  }
  const loaded = await site.db.transaction().execute(async (transaction) => {
    // Serializes runs: the second waits here and finds the rows of the first.
    await transaction.selectFrom('catalog_version').select('id').forUpdate().execute()
    const importPlan = await plan(transaction)
    if (report.clashes.length > 0) return false
    return loadImport(transaction, site.vault, importPlan, { source, version: site.version })
  })
  if (!options.logs || !database || report.clashes.length > 0) return loaded
  await loadLogs(site.db, database.source, logOptions(await ImportedIds.of(site.db, source)))
  return loaded || report.counts.logs.carried > 0
}

/** Reads the source again, so that changes since then are reported too. */
async function verifyImport({ db }: Site, origin: ImportSource): Promise<ImportVerification> {
  const data = await origin.read(new Report())
  const imported = await ImportedIds.of(db, origin.source)
  return {
    compared:
      data.users.filter(({ sourceId }) => imported.has('user', sourceId)).length +
      data.tokens.filter(({ sourceId }) => imported.has('token', sourceId)).length,
    differences: await compareBalances(db, imported, data),
    imbalances: await findImbalances(db),
    straySums: await findRollupDifferences(db),
  }
}

export interface Difference {
  readonly what: string
  readonly source: number
  /** The imported balance. */
  readonly here: number
}

/** Compares every balance in the source with the imported one, and returns those that differ. */
async function compareBalances(
  db: Db,
  imported: ImportedIds,
  { users, tokens }: Pick<ImportData, 'users' | 'tokens'>,
): Promise<Difference[]> {
  const entries = await db
    .selectFrom('ledger_entry')
    .select(['user_id', 'token_id', 'amount'])
    .where('reference', '=', IMPORT_REFERENCE)
    .where('kind', 'in', ['setup_grant', 'token_limit'])
    .execute()
  const imports = new Map(
    entries.map(({ user_id, token_id, amount }) => [token_id === 0 ? `user ${user_id}` : `token ${token_id}`, amount]),
  )
  const compare = (kind: 'user' | 'token', name: string, sourceId: string, source: number): Difference[] => {
    const id = imported.idOf(kind, sourceId)
    if (id === undefined) return []
    const here = imports.get(`${kind} ${id}`) ?? 0
    return here === source ? [] : [{ what: `${kind} ${name} (${sourceId})`, source, here }]
  }
  return [
    ...users.flatMap(({ columns, sourceId, balance }) => compare('user', columns.username, sourceId, balance)),
    ...tokens.flatMap(({ columns, sourceId, balance }) => compare('token', columns.name, sourceId, balance)),
  ]
}
