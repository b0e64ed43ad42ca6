import { type Db, ensureUsageLogPartitions } from '@tidegate/storage'

/**
 * Runs work as one transaction, or as part of the caller's when it is in one. The worker makes the partitions of the
 * log days ahead; where it has not, the missing one is made and the work, undone as a whole, is done again.
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

/** Postgres reports a row that no partition takes as a violated check of the table itself, which has no such constraint. */
export function isMissingPartition(error: unknown): boolean {
  const { code, table, constraint } = error as { code?: string; table?: string; constraint?: string }
  return code === '23514' && table === 'usage_log' && constraint === undefined
}
