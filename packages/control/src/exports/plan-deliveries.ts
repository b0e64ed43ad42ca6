import type { api } from '@tidegate/contract'
import { type Db, exportDeliveries, exportDestinations, logFeed, type PlannedDestination } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import { optionsOf } from './destination.ts'

/** IDs that are counted at once. A window never has more requests, so a delivery never exceeds its maximum. */
const WINDOW = 1_000
/** Contents are large. */
const CONTENT_WINDOW = 50
const MAX_OPEN = 5
/** More than the job interval, so that a quiet site sends few small deliveries. Objects should be larger. */
const WAIT_SECONDS: Readonly<Record<api.ExportKind, number>> = { webhook: 1, otlp: 5, langfuse: 5, s3: 60 }
const MAX_RECORDS: Readonly<Record<api.ExportKind, number>> = {
  webhook: 1_000,
  otlp: 1_000,
  langfuse: 1_000,
  s3: 5_000,
}

export interface PlanResult {
  /** Whether every row up to the safe end of the log has a delivery. */
  readonly complete: boolean
}

export type PlanDeliveries = (stopping: AbortSignal, until?: number) => Promise<PlanResult>

/**
 * Returns a function that queues deliveries for new log rows. Each destination has its position in the log; those at
 * the same position are planned together, so that the log is read once for all that are up to date. Position and
 * deliveries are stored in one transaction.
 */
export function createPlanner({ db, catalog }: Pick<Deps, 'db' | 'catalog'>): PlanDeliveries {
  const safeLogId = logFeed.followSafeLogId()
  let isChecked = false
  return async (stopping, until = Infinity) => {
    if (!isChecked) await exportDestinations.limitCursors(db, await logFeed.lastLogId(db))
    isChecked = true
    const end = await safeLogId(db)
    const ofUsers = catalog().settings.UserExportsEnabled
    for (;;) {
      const destinations = await exportDestinations.listToPlan(db, { maxOpen: MAX_OPEN, ofUsers })
      const behind = destinations.filter(({ cursor_id }) => cursor_id < end)
      if (behind.length === 0 || stopping.aborted || performance.now() >= until)
        return { complete: behind.length === 0 }
      for (const group of groupByPosition(behind)) {
        if (!(await planWindow(db, group, end))) return { complete: false }
      }
    }
  }
}

interface Group {
  readonly after: number
  readonly window: number
  readonly destinations: PlannedDestination[]
}

function groupByPosition(destinations: readonly PlannedDestination[]): Group[] {
  const groups = new Map<string, Group>()
  for (const destination of destinations) {
    const window = optionsOf(destination).include_content ? CONTENT_WINDOW : WINDOW
    const key = `${destination.cursor_id}:${window}`
    const group = groups.get(key) ?? { after: destination.cursor_id, window, destinations: [] }
    group.destinations.push(destination)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** False when another process planned the window, or a destination was deleted: the next run reads the positions again. */
async function planWindow(db: Db, { after, window, destinations }: Group, end: number): Promise<boolean> {
  const last = Math.min(after + window, end)
  const counted = await logFeed.countRequests(db, { after, last })
  const ids = destinations.map(({ id }) => id)
  const planned = db.transaction().execute(async (transaction) => {
    const moved = await exportDestinations.advance(transaction, ids, { after, last })
    if (moved !== ids.length) throw new PositionChanged()
    for (const destination of destinations) {
      const { user_id: userId, kind } = destination
      const { include_failed, include_content } = optionsOf(destination)
      const rows = userId === null ? counted : counted.filter(({ user_id }) => user_id === userId)
      const records = sum(rows.map(({ served, failed }) => served + (include_failed ? failed : 0)))
      if (records === 0) continue
      const times = {
        firstTime: new Date(Math.min(...rows.map(({ first_time }) => first_time.getTime()))),
        lastTime: new Date(Math.max(...rows.map(({ last_time }) => last_time.getTime()))),
      }
      const delivery = { destinationId: destination.id, after, last, ...times, records }
      const maxRecords = include_content ? CONTENT_WINDOW : MAX_RECORDS[kind]
      await exportDeliveries.enqueue(transaction, delivery, { maxRecords, waitSeconds: WAIT_SECONDS[kind] })
    }
    return true
  })
  return planned.catch((error: unknown) => {
    if (error instanceof PositionChanged) return false
    throw error
  })
}

/** Rolls the transaction back. */
class PositionChanged extends Error {
  override readonly name = 'PositionChanged'
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
