import { api, type Settings, logEvent, type Log } from '@tidegate/contract'
import {
  batches,
  batchLines,
  chatContents,
  conversations,
  files,
  modelHours,
  nodeMetrics,
  shadowCalls,
  responseEvents,
  storedResponses,
  thinSums,
  type Db,
  type LogStore,
} from '@tidegate/storage'
import type { Job } from './run-jobs.ts'

type RetentionOption =
  | 'LogRetentionDays'
  | 'LogRetentionGigabytes'
  | 'LogChatContentDays'
  | 'StoredResponseDays'
  | 'UsageHourDays'
  | 'UsageDayDays'

interface LogJobDeps {
  db: Db
  logs: LogStore
  log: Log
  now(): Date
  settings(): Pick<Settings, RetentionOption>
}

const HOUR = 3600
const DAY_MS = 86_400_000
/** Covers a worker outage of more than a week. */
const PARTITION_DAYS_AHEAD = 10
const MODEL_HOURS_DAYS = 7
const SHADOW_DAYS = 30
const REJECTED_DAYS = 7
/** How long the stream of a background response can be resumed. */
const RESPONSE_EVENT_DAYS = 1
/** Results of batches are files with an expiry of their own. */
const BATCH_DAYS = 90
/** Longer than any journal of a dead process waits. */
const BATCH_CHARGE_DAYS = 365
/** An upload that takes longer has broken off. */
const UPLOAD_DAYS = 1
/** Dashboards and the overview show the hours of a month. */
const MIN_USAGE_HOUR_DAYS = 35
/** Rankings show the days of a year. */
const MIN_USAGE_DAY_DAYS = 400
/** Older rows are dropped with their partition. */
const REJECTED_SEARCH_DAYS = 21
/** Keeps statements short, so writers do not wait. */
const REMOVED_AT_ONCE = 1000
/** A file may have thousands of parts. */
const FILES_AT_ONCE = 20

/** Enforces the retention of request logs. Usage sums stay. */
export function logJobs({ db, logs, log, now, settings }: LogJobDeps): Job[] {
  const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS)
  return [
    {
      name: 'usage-log-partitions',
      everySeconds: HOUR,
      async run() {
        await logs.prepare({ from: daysAgo(1), days: PARTITION_DAYS_AHEAD + 2 })
        const { LogRetentionDays: days, LogRetentionGigabytes: gigabytes } = settings()
        const tooOld = days === 0 ? [] : await logs.dropDays({ before: daysAgo(days) })
        if (tooOld.length > 0) logEvent(log, 'logs.expired_dropped', { dropped: tooOld })
        const tooMuch = gigabytes === 0 ? [] : await logs.shrink({ bytes: gigabytes * 1024 ** 3, now: now() })
        if (tooMuch.length > 0) logEvent(log, 'logs.dropped_for_space', { dropped: tooMuch, gigabytes })
      },
    },
    {
      name: 'thin-usage-sums',
      everySeconds: HOUR,
      async run(stopping) {
        const { UsageHourDays: hourDays, UsageDayDays: dayDays } = settings()
        const hoursBefore = daysAgo(Math.max(hourDays, MIN_USAGE_HOUR_DAYS))
        const daysBefore = daysAgo(Math.max(dayDays, MIN_USAGE_DAY_DAYS))
        const repeat = async (thinOldest: () => Promise<boolean>) => {
          while (!stopping.aborted) if (!(await thinOldest())) return
        }
        if (hourDays > 0) await repeat(() => thinSums.thinOldestDay(db, hoursBefore))
        if (dayDays > 0) await repeat(() => thinSums.thinOldestMonth(db, daysBefore))
      },
    },
    {
      name: 'purge-shadow-calls',
      everySeconds: HOUR,
      async run(stopping) {
        while (!stopping.aborted) {
          if ((await shadowCalls.removeSome(db, daysAgo(SHADOW_DAYS), REMOVED_AT_ONCE)) < REMOVED_AT_ONCE) return
        }
      },
    },
    {
      name: 'purge-rejected-requests',
      everySeconds: HOUR,
      async run(stopping) {
        const [after, before] = [daysAgo(REJECTED_SEARCH_DAYS), daysAgo(REJECTED_DAYS)]
        const { error: type } = api.LOG_TYPE
        while (!stopping.aborted) {
          const removed = await logs.removeRejected({ after, before, type, limit: REMOVED_AT_ONCE })
          if (removed < REMOVED_AT_ONCE) return
        }
      },
    },
    {
      name: 'purge-stored-responses',
      everySeconds: HOUR,
      async run(stopping) {
        const latest = daysAgo(-settings().StoredResponseDays)
        await responseEvents.removeBefore(db, daysAgo(RESPONSE_EVENT_DAYS))
        for (const { shortenRetention, removeExpired } of [storedResponses, conversations]) {
          await shortenRetention(db, latest)
          while (!stopping.aborted) {
            if ((await removeExpired(db, now(), REMOVED_AT_ONCE)) < REMOVED_AT_ONCE) break
          }
        }
      },
    },
    {
      name: 'purge-files',
      everySeconds: HOUR,
      async run(stopping) {
        const limit = REMOVED_AT_ONCE
        while (!stopping.aborted) {
          if ((await batches.removeEnded(db, { before: daysAgo(BATCH_DAYS), limit })) < limit) break
        }
        while (!stopping.aborted) {
          if ((await batchLines.removeCharges(db, { before: daysAgo(BATCH_CHARGE_DAYS), limit })) < limit) break
        }
        while (!stopping.aborted) {
          const removed = await files.removeExpired(db, {
            now: now(),
            abandoned: daysAgo(UPLOAD_DAYS),
            limit: FILES_AT_ONCE,
          })
          if (removed < FILES_AT_ONCE) return
        }
      },
    },
    {
      name: 'purge-records',
      everySeconds: HOUR,
      async run(stopping) {
        await modelHours.removeBefore(db, daysAgo(MODEL_HOURS_DAYS))
        await nodeMetrics.removeBefore(db, daysAgo(1))
        const { LogChatContentDays, LogRetentionDays } = settings()
        const days = LogChatContentDays || LogRetentionDays
        if (days === 0) return
        while (!stopping.aborted) {
          if ((await chatContents.removeSome(db, daysAgo(days), REMOVED_AT_ONCE)) < REMOVED_AT_ONCE) return
        }
      },
    },
  ]
}
