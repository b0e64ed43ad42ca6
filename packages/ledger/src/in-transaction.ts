import { type Db, ensureUsageLogPartitions } from '@tidegate/storage'

/**
 * Runs work in one transaction, or in the caller's. The worker creates log partitions days ahead; if one is missing, it
 * is created and the work runs again.
 */
export async function inTransaction<Result>(
  db: Db,
  day: Date,
  work: (transaction: Db) => Promise<Result>,
): Promise<Result> {
  if (db.isTransaction) return work(db)
  try {
    return await db.transaction().execute(work)
  } catch (error) {
    if (!isMissingPartition(error)) throw error
    await ensureUsageLogPartitions(db, { from: day, days: 1 })
    return db.transaction().execute(work)
  }
}

/** PostgreSQL reports a missing partition as a check violation of the table without a constraint name. */
export function isMissingPartition(error: unknown): boolean {
  const { code, table, constraint } = error as { code?: string; table?: string; constraint?: string }
  return code === '23514' && table === 'usage_log' && constraint === undefined
}
