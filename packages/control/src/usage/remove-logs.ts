import { dropUsageLogPartitions, raiseUsageLogFloor, usageLogs, type Db } from '@tidegate/storage'

/** Removed in one statement: short enough that nobody who writes the log waits. */
const CHUNK = 5000
/** Top-ups and what administrators did stay at least so long, whoever would rather not have them there. */
const FLOOR_MS = 30 * 86_400_000

/** Removes the rows older than a time and answers how many there were. Days that are over as a whole go at once. */
export async function removeLogs(db: Db, before: Date, now: Date): Promise<number> {
  const floor = new Date(now.getTime() - FLOOR_MS)
  const wholeDays = before < floor ? before : floor
  await raiseUsageLogFloor(db, before < now ? before : now)
  let removed = await usageLogs.countDroppable(db, wholeDays)
  await dropUsageLogPartitions(db, { before: wholeDays })
  for (;;) {
    const chunk = await usageLogs.removeSome(db, { before, floor, limit: CHUNK })
    removed += chunk
    if (chunk < CHUNK) return removed
  }
}
