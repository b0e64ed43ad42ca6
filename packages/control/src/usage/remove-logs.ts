import { dropUsageLogPartitions, raiseUsageLogFloor, usageLogs, type Db } from '@tidegate/storage'

/** Rows per statement; short, so that log writers do not wait. */
const CHUNK = 5000
/** Top-up and administration rows stay at least this long. */
const FLOOR_MS = 30 * 86_400_000

/** Removes rows older than `before` and returns their number. Whole days are dropped as partitions. */
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
