import { describeImport, SOURCE_FORMATS, InputError, importSite, type ImportResult } from '@tidegate/import'
import { describeSchemaProblem, inspectSchema } from '@tidegate/storage'
import { readVariable, type Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'
import { openStorage } from '../process/open-storage.ts'
import { VERSION } from '../version.ts'

interface ImportOptions {
  from?: string
  product?: string
  source?: string
  'dry-run'?: boolean
  yes?: boolean
  json?: boolean
  logs?: boolean
  since?: string
  'skip-clashes'?: boolean
}

/**
 * Imports a site of another product, or shows what an import would change. Returns the exit code: 1 when the result
 * differs from the source.
 */
export async function importCommand(environment: Environment, log: Logger, options: ImportOptions): Promise<number> {
  try {
    if (options.from === undefined)
      throw new InputError(`The source is missing. Use: tidegate import --from ${SOURCE_FORMATS}`)
    const go = options.yes === true && options['dry-run'] !== true
    const since = readSince(options.since)
    const move = await withSite(environment, log, (site) =>
      importSite(site, {
        from: options.from!,
        product: options.product ?? 'auto',
        name: options.source,
        variable: readVariable,
        go,
        logs: options.logs ?? false,
        since,
        skipClashes: options['skip-clashes'] ?? false,
      }),
    )
    console.log(options.json ? JSON.stringify(move, null, 2) : describeImport(move, go))
    return isComplete(move) ? 0 : 1
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    console.error(error.message)
    return 1
  }
}

async function withSite<Result>(
  environment: Environment,
  log: Logger,
  work: (site: Parameters<typeof importSite>[0]) => Promise<Result>,
): Promise<Result> {
  const storage = await openStorage({ ...environment, REDIS_URL: undefined }, log)
  try {
    const { db } = storage.database
    const problem = describeSchemaProblem(await inspectSchema(db))
    if (problem !== undefined) throw new InputError(problem)
    return await work({ db, vault: storage.vault, version: VERSION })
  } finally {
    await storage.close()
  }
}

function isComplete({ findings, proof }: ImportResult): boolean {
  const faults = proof ? proof.differences.length + proof.imbalances.length + proof.straySums.length : 0
  return faults === 0 && findings.every(({ outcome }) => outcome !== 'clash')
}

function readSince(written: string | undefined): Date | undefined {
  if (written === undefined) return undefined
  const since = new Date(written)
  if (Number.isNaN(since.getTime())) throw new InputError(`--since ${written} is not a date. Write it as 2026-01-31.`)
  return since
}
