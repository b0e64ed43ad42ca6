import { dropUsageLogPartitions, usageLogs, type Db } from '@tidegate/storage'

/** Removed in one statement: short enough that nobody who writes the log waits. */
const CHUNK = 5000

/** Removes every row older than a time and answers how many there were. Days that are over as a whole go at once. */
export async function removeLogs(db: Db, before: Date): Promise<number> {
  let removed = await usageLogs.countDroppable(db, before)
  await dropUsageLogPartitions(db, { before })
  for (;;) {
    const chunk = await usageLogs.removeSome(db, before, CHUNK)
    removed += chunk
    if (chunk < CHUNK) return removed
  }
}
