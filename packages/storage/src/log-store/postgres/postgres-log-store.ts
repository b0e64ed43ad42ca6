import type { Db } from '../../connection/connect.ts'
import type { LogStore } from '../log-store.ts'
import { sumCost } from './cost.ts'
import { facets, histogram } from './counts.ts'
import { dropUsageLogPartitions, ensureUsageLogPartitions, raiseUsageLogFloor, shrinkUsageLog } from './partitions.ts'
import { firstTokenP95, lastErrors, modelSpeed, requestsByChannel, sample } from './performance.ts'
import {
  count,
  countDroppable,
  insertUncharged,
  page,
  rate,
  removeRejected,
  removeSome,
  search,
  sumUncovered,
} from './rows.ts'

/** Rows per statement; short, so that log writers do not wait. */
const REMOVED_AT_ONCE = 5000

/** Log rows in the table `usage_log`, with one partition per UTC day. */
export function postgresLogStore(db: Db): LogStore {
  return {
    append: (rows) => insertUncharged(db, rows),
    page: (filters, position) => page(db, filters, position),
    count: (filters, max) => count(db, filters, max),
    search: (userId, keyword, limit) => search(db, userId, keyword, limit),
    histogram: (options) => histogram(db, options),
    facets: (options) => facets(db, options),
    cost: (filters, now) => sumCost(db, filters, now),
    uncovered: (filters) => sumUncovered(db, filters),
    rate: (filters, since) => rate(db, filters, since),
    firstTokenP95: (span, maxRows) => firstTokenP95(db, span, maxRows),
    modelSpeed: (model, since) => modelSpeed(db, model, since),
    lastErrors: (channelIds, errorType) => lastErrors(db, channelIds, errorType),
    requestsByChannel: (model, since) => requestsByChannel(db, model, since),
    sample: (since, percent) => sample(db, since, percent),
    prepare: async (span) => void (await ensureUsageLogPartitions(db, span)),
    dropDays: (span) => dropUsageLogPartitions(db, span),
    shrink: (limit) => shrinkUsageLog(db, limit),
    remove: (span) => remove(db, span),
    removeRejected: (rows) => removeRejected(db, rows),
  }
}

/** Whole days are dropped as partitions. */
async function remove(db: Db, { before, keepAfter, now }: Parameters<LogStore['remove']>[0]): Promise<number> {
  const wholeDays = before < keepAfter ? before : keepAfter
  await raiseUsageLogFloor(db, before < now ? before : now)
  let removed = await countDroppable(db, wholeDays)
  await dropUsageLogPartitions(db, { before: wholeDays })
  for (;;) {
    const chunk = await removeSome(db, { before, floor: keepAfter, limit: REMOVED_AT_ONCE })
    removed += chunk
    if (chunk < REMOVED_AT_ONCE) return removed
  }
}
