import { join } from 'node:path'
import { ping, publish, type Db, type SharedNotices } from '@tidegate/storage'
import { startSettler } from './settlement/settler.ts'
import { openJournal } from './journal/journal.ts'
import { claimDirectory } from './journal/owner.ts'
import { createLeaseBook } from './leases/lease-book.ts'
import {
  isLeasedElsewhere,
  releaseHolder,
  releaseLease,
  returnLeases,
  takeLease,
  takeLeases,
} from './leases/lease-rows.ts'
import { LEASE_SECONDS, registerProcess, sendHeartbeat } from './leases/processes.ts'
import { batchTakes } from './leases/batch-takes.ts'
import { replayDeadJournals } from './replay.ts'
import { Reservation, settlementUnavailable, type CreditOrder } from './reservation.ts'

export interface CreditOptions {
  db: Db
  /** This process; its leases, its journal and its batches carry this name. */
  holder: string
  /** Holds the journals of all processes that run here. */
  journals: string
  notices?: Pick<SharedNotices, 'subscribe'>
  keepLog(): boolean
  log: Record<'info' | 'warn' | 'error', (details: object, message: string) => void>
  /** Every answer waits until its receipt is on the disk. */
  syncEach?: boolean
  /** Bookings the database has not taken may fill this much of the disk; then no new call is served. */
  journalLimitBytes?: number
  /** Leases last for about this long; 0 leases for one request at a time. */
  aheadSeconds?: number
}

export interface Credit {
  /** Holds credit for a call. Throws a ApiError when there is none, or when nothing could be booked. */
  reserve(order: CreditOrder): Promise<Reservation>
  /** Bookings that the database does not have yet. */
  waiting(): { bookings: number; bytes: number }
  /** What accounts could not pay since the process started, in quota. */
  uncovered(): number
  /** Carries what is journalled into the database now. */
  flush(): Promise<void>
  /** Books what is left and gives back what is held. */
  stop(): Promise<void>
}

const SWEEP_MS = 1_000
const HEARTBEAT_MS = 10_000
const REPLAY_MS = 15_000
const STOP_DEADLINE_MS = 10_000
/** Earlier than others may take our leases away: a clock that runs a little slow must not matter. */
const FENCE_MS = LEASE_SECONDS * 1000 * 0.8

/** Credit for calls: leased ahead, reserved in memory, journalled when spent, booked in batches. */
export async function openCredit(options: CreditOptions): Promise<Credit> {
  const { db, holder, journals, log, keepLog, aheadSeconds = 3, journalLimitBytes = 256 * 1024 ** 2 } = options
  const directory = join(journals, holder)
  // First of all: a directory without a known process looks like one that a dead process left.
  await registerProcess(db, holder)
  const journal = await openJournal({ directory, syncEach: options.syncEach ?? false })
  await claimDirectory(directory)
  const replay = () => replayDeadJournals({ db, journals, self: holder, log })
  await replay()

  const settler = startSettler({ db, holder, journal, log })
  const book = createLeaseBook({
    now: () => performance.now(),
    aheadSeconds,
    source: {
      ping: () => ping(db),
      take: batchTakes({
        takeOne: (order) => takeLease(db, { holder, ...order }),
        takeMany: (orders) => takeLeases(db, holder, orders),
      }),
      returnCredit: (returned) => returnLeases(db, holder, returned),
      async returnAll(account) {
        await settler.flush() // what was spent of the lease must be drawn from it first
        await releaseLease(db, holder, account)
      },
      async recall(account) {
        if (!(await isLeasedElsewhere(db, holder, account))) return false
        await publish(db, { kind: 'credit', userId: account.userId })
        return true
      },
    },
  })
  const unsubscribe = options.notices?.subscribe({
    onNotice(notice) {
      if (notice.kind === 'credit') returnIdleCredit(notice.userId)
    },
    onGap: () => returnIdleCredit(),
  })

  function returnIdleCredit(userId?: number): void {
    book
      .returnIdle(userId)
      .catch((error: unknown) => log.warn({ err: error, userId }, 'credit could not be given back'))
  }

  let uncoveredQuota = 0
  const uncovered = (amount: number) => {
    uncoveredQuota += amount
    log.warn({ event: 'billing.uncovered', amount }, 'an account could not pay for the whole request')
  }
  let lastHeartbeat = performance.now()
  async function heartbeat(): Promise<void> {
    const sent = performance.now()
    if (!(await sendHeartbeat(db, holder))) {
      log.warn({ holder }, 'this process was thought dead, and its leases were taken back')
      // What was leased since then goes back as well: after this the book knows of nothing.
      await settler.flush()
      await releaseHolder(db, holder)
      book.invalidate()
      await registerProcess(db, holder)
    }
    lastHeartbeat = sent
  }

  const loops = [
    every(SWEEP_MS, () => book.sweep()),
    every(HEARTBEAT_MS, heartbeat),
    every(REPLAY_MS, async () => void (await replay())),
  ]
  /** A round that the database holds up delays the next one; rounds do not queue up. */
  function every(milliseconds: number, work: () => Promise<void>) {
    let running: Promise<void> | undefined
    const timer = setInterval(() => {
      running ??= work()
        .catch((error: unknown) => log.warn({ err: error }, 'credit housekeeping failed'))
        .finally(() => (running = undefined))
    }, milliseconds)
    return {
      async stop() {
        clearInterval(timer)
        await running
      },
    }
  }

  return {
    async reserve(order) {
      if (journal.pendingBytes > journalLimitBytes) {
        log.error({ bytes: journal.pendingBytes }, 'the journal is full: calls are refused until the database takes it')
        throw settlementUnavailable()
      }
      if (performance.now() - lastHeartbeat > FENCE_MS) throw settlementUnavailable()
      const reservation = new Reservation(order, { book, journal, keepLog, flush: () => settler.flush(), uncovered })
      await reservation.open()
      return reservation
    },
    waiting: () => ({ bookings: journal.pendingSettlements, bytes: journal.pendingBytes }),
    uncovered: () => uncoveredQuota,
    flush: () => settler.flush(),
    async stop() {
      unsubscribe?.()
      await withinDeadline(2 * STOP_DEADLINE_MS, async () => {
        await Promise.all(loops.map((loop) => loop.stop()))
        await book.close()
        await settler.stop(STOP_DEADLINE_MS)
        await releaseHolder(db, holder)
      })
      await journal.close()
    },
  }
}

/** The journal keeps what a database that does not answer has not taken; the next start books it. */
async function withinDeadline(milliseconds: number, work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`the database did not answer within ${milliseconds} ms`)
    timer = setTimeout(reject, milliseconds, error)
  })
  await Promise.race([work(), late]).finally(() => clearTimeout(timer))
}
