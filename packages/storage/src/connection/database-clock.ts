import { logEvent, type Log } from '@tidegate/contract'
import { sql } from 'kysely'
import type { Db } from './connect.ts'

/** The time of the database, which every process of a site shares. */
export interface DatabaseClock {
  /** Unix milliseconds. */
  time(): number
  now(): Date
  /** By how much the clock of this machine is ahead. */
  skewSeconds(): number
  /** Whether the clock of this machine differs too much. */
  isSkewed(): boolean
  stop(): void
}

interface ClockOptions {
  db: Db
  log: Log
  /** Milliseconds of this machine. */
  machineTime?: () => number
  /** Milliseconds that no change of the clock affects. */
  elapsed?: () => number
  everyMs?: number
  /** The time of this machine is used until the database responds. */
  isAway?: boolean
}

export const LARGEST_SKEW_SECONDS = 5
const EVERY_MS = 30_000

/**
 * Asks the database for its time and continues it between two responses. Deletions and payments must not depend on the
 * clock of one machine: a worker whose clock is ahead would remove rows that are still to be kept.
 */
export async function startDatabaseClock(options: ClockOptions): Promise<DatabaseClock> {
  const { db, log, machineTime = Date.now, elapsed = () => performance.now(), everyMs = EVERY_MS } = options
  let known = options.isAway ? { time: machineTime(), at: elapsed() } : await readTime(db, elapsed)
  let wasSkewed = false
  const databaseTime = () => known.time + elapsed() - known.at
  const skewSeconds = () => (machineTime() - databaseTime()) / 1000
  const isSkewed = () => Math.abs(skewSeconds()) > LARGEST_SKEW_SECONDS
  /** A small difference may come from the delay of the response, so the clock of the machine is as good. */
  const time = () => (isSkewed() ? Math.round(databaseTime()) : machineTime())

  function report(): void {
    if (isSkewed() && !wasSkewed) logEvent(log, 'clock.skewed', { seconds: Math.round(skewSeconds()) })
    wasSkewed = isSkewed()
  }
  report()
  const timer = setInterval(() => {
    readTime(db, elapsed).then(
      (read) => {
        known = read
        report()
      },
      () => {}, // continues with the last response
    )
  }, everyMs)
  timer.unref()
  return { time, now: () => new Date(time()), skewSeconds, isSkewed, stop: () => clearInterval(timer) }
}

/** The response is from the middle of the time that it took. */
async function readTime(db: Db, elapsed: () => number): Promise<{ time: number; at: number }> {
  const asked = elapsed()
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return { time: rows[0]!.now.getTime(), at: (asked + elapsed()) / 2 }
}
