import { describeSchemaProblem, inspectSchema, migrateToLatest, type Db } from '@tidegate/storage'
import type { Environment } from '../environment.ts'
import type { Logger } from '../observability/logging.ts'

/** Serving on a schema of another build would corrupt it: bring it up to date, or refuse and say why. */
export async function prepareSchema(db: Db, mode: Environment['TIDEGATE_MIGRATE'], log: Logger): Promise<void> {
  if (mode === 'auto') {
    const applied = await migrateToLatest(db)
    if (applied.length > 0) log.info({ applied }, 'the schema was brought up to date')
  }
  const problem = describeSchemaProblem(await inspectSchema(db))
  if (problem !== undefined) throw new Error(problem)
}
