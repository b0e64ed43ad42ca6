import { type Log, logEvent } from '@tidegate/contract'
import { type Db, type LogOutbox, logParcels, movedRows, type ParcelReceiver, shipParcels } from '@tidegate/storage'
import type { Job } from './run-jobs.ts'

export interface OutboxDeps {
  readonly db: Db
  readonly log: Log
  now(): Date
  readonly outbox: LogOutbox
  readonly receiver: ParcelReceiver
  readonly limitBytes: number
  /** Called with what waits, for metrics. */
  report?(status: OutboxStatus): void
}

export interface OutboxStatus {
  readonly bytes: number
  readonly rows: number
  readonly ageSeconds: number
  /** Whether the store accepted the last rows. */
  readonly isUp: boolean
}

/** While a backlog is sent, the store has time for queries. */
const ROWS_PER_SECOND = 50_000
const DAY_MS = 86_400_000
/** Failures before the next line in the log. */
const LOGGED_EVERY = 60
/** Rows of the table are moved only below this part of the limit. */
const ROOM = 0.2

/** Sends the outbox to the other log store, and keeps it small. */
export function logOutboxJobs({ db, log, now, outbox, receiver, limitBytes, report }: OutboxDeps): Job[] {
  let failures = 0
  return [
    {
      name: 'send-log-rows',
      everySeconds: 1,
      async run(signal) {
        try {
          await shipParcels({ db, receiver, rowsPerSecond: ROWS_PER_SECOND, signal })
          if (failures > 0) logEvent(log, 'logs.store_resumed', { failures })
          failures = 0
        } catch (error) {
          if (failures % LOGGED_EVERY === 0) logEvent(log, 'logs.store_unavailable', { err: error, failures })
          failures += 1
        } finally {
          await outbox.refresh()
          const { bytes = 0, rows = 0, ageSeconds = 0 } = outbox.size() ?? {}
          report?.({ bytes, rows, ageSeconds, isUp: failures === 0 })
        }
      },
    },
    {
      name: 'tidy-log-outbox',
      everySeconds: 60,
      async run(signal) {
        await logParcels.removeShippedPayloads(db, limitBytes / 2)
        for (const day of await movedRows.spilledDays(db)) {
          for (;;) {
            await outbox.refresh()
            if (signal.aborted || outbox.usesTable() || (outbox.size()?.bytes ?? 0) > limitBytes * ROOM) return
            if ((await movedRows.moveToOutbox(db, day)) > 0) continue
            await movedRows.forgetSpilledDay(db, day)
            break
          }
        }
      },
    },
    {
      name: 'purge-log-outbox',
      everySeconds: 3600, // it reads every row of the outbox
      async run() {
        await logParcels.removeShipped(db, new Date(now().getTime() - logParcels.REPLAY_DAYS * DAY_MS))
      },
    },
  ]
}

/** Time in which a worker of another release may still send them. */
const EXPECTED_SECONDS = 60
/** Checks before the next line in the log. */
const CHECKS_PER_EVENT = 10

/** For a worker without another log store: reports rows that nothing sends. */
export function unsentRowsJobs({ db, log, report }: Pick<OutboxDeps, 'db' | 'log' | 'report'>): Job[] {
  let checks = 0
  return [
    {
      name: 'check-log-outbox',
      everySeconds: 30,
      async run() {
        const { rows, bytes, ageSeconds } = await logParcels.outboxSize(db)
        if (rows === 0 || ageSeconds < EXPECTED_SECONDS) return
        if (checks % CHECKS_PER_EVENT === 0) logEvent(log, 'logs.store_missing', { rows, ageSeconds })
        checks += 1
        report?.({ bytes, rows, ageSeconds, isUp: false })
      },
    },
  ]
}
