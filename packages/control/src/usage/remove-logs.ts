import type { LogStore } from '@tidegate/storage'

/** Top-up and administration rows stay at least this long. */
const KEPT_MS = 30 * 86_400_000

/** Removes rows older than `before` and returns their number. */
export function removeLogs(logs: LogStore, before: Date, now: Date): Promise<number> {
  return logs.remove({ before, keepAfter: new Date(now.getTime() - KEPT_MS), now })
}
