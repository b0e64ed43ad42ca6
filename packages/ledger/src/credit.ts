import { join } from 'node:path'
import { logEvent, type Log } from '@tidegate/contract'
import { ping, publish, type Db, type LogWriter, type SharedListener } from '@tidegate/storage'
import { startSettler } from './settlement/settler.ts'
import { openJournal, type JournalDisk } from './journal/journal.ts'
import { claimDirectory } from './journal/owner.ts'
import { createLeaseBook } from './leases/lease-book.ts'
import {
  findOverdrawnLeases,
  isLeasedElsewhere,
  releaseHolder,
  releaseLeases,
  returnLeases,
  takeLease,
  takeLeases,
} from './leases/lease-rows.ts'
import { leaseSecondsOf, OUTAGE_SECONDS, registerProcess, sendHeartbeat } from './leases/processes.ts'
import { batchTakes } from './leases/batch-takes.ts'
import { OutageCredit } from './leases/outage-credit.ts'
import { recoverProcess } from './journal/recover-process.ts'
import { replayDeadJournals } from './replay.ts'
import { chargeInterrupted, hasLostLeases, monotonicMs, spendableCredit } from './resume.ts'
import { CreditReservation, settlementUnavailable, type CreditRequest } from './reservation.ts'

export interface CreditOptions {
  db: Db
  /** The name of this process; its leases, journal and batches carry it. */
  holder: string
  /** The directory of all journals on this machine. */
  journals: string
  /** Where processes of the release before have their journals: settled too, but never written. */
  oldJournals?: string
  listener?: Pick<SharedListener, 'subscribe'>
  keepLog(): boolean
  /** Where charged rows are written. Missing: the table of the log. */
  logs?: LogWriter | undefined
  /** Whether log rows of new requests have nowhere to go. */
  isLogFull?: (() => boolean) | undefined
  log: Log
  /** Every response waits until its receipt is on disk. */
  syncEach?: boolean
  /** Limit of journal bytes that are not settled; above it, new requests are rejected. */
  journalLimitBytes?: number
  /** How long the process serves from its leases without the database. */
  outageSeconds?: number
  /** How long a lease should last; 0 leases for one request at a time. */
  aheadSeconds?: number
  /** How often the journal is settled. */
  settleIntervalMs?: number | undefined
  /** How long applied settlements stay in the journal, for a database that loses its newest transactions. */
  keepAppliedSeconds?: number
  /** How long a request waits for the database. */
  deadlineMs?: number
  /** The database is away. If the holder is a dead process that was taken over, its leases are used. */
  withoutDatabase?: boolean
  /** What a user may spend beyond leases while the database is away. */
  outageCredit?(): number
}

export interface Credit {
  /**
   * Reserves credit for a request, at once where the leases of the process cover it. Throws or rejects with an ApiError
   * if there is none, or if settlement is unavailable.
   */
  reserve(request: CreditRequest): CreditReservation | Promise<CreditReservation>
  /** Whether requests can reserve credit: the journal has room, and leases are valid. */
  isAvailable(): boolean
  /** Settlements that are not in the database yet. */
  waiting(): { settlements: number; bytes: number; limitBytes: number }
  /** The disk of the journal. */
  disk(): JournalDisk
  /** Quota that accounts could not pay since the process started. */
  uncovered(): number
  /** Settles everything in the journal now. */
  flush(): Promise<void>
  /** Settles the rest and returns all leases. */
  stop(): Promise<void>
}

const SWEEP_MS = 1_000
const HEARTBEAT_MS = 10_000
const REPLAY_MS = 15_000
const STOP_DEADLINE_MS = 10_000

/** Credit for requests: leased ahead, reserved in memory, journaled when spent, settled in batches. */
export async function openCredit(options: CreditOptions): Promise<Credit> {
  const { db, holder, journals, log, logs, keepLog } = options
  const {
    isLogFull = () => false,
    aheadSeconds = 120,
    outageSeconds = OUTAGE_SECONDS,
    journalLimitBytes = 256 * 1024 ** 2,
  } = options
  const keepAppliedMs = (options.keepAppliedSeconds ?? 0) * 1000
  const leaseSeconds = leaseSecondsOf(outageSeconds)
  const directory = join(journals, holder)
  const resume = options.withoutDatabase ? await recoverProcess(directory) : undefined
  const startedAt = monotonicMs()
  // Register first: a directory without a registered process looks like that of a dead process.
  if (!options.withoutDatabase) await registerProcess(db, holder, leaseSeconds)
  let isRegistered = !options.withoutDatabase || resume !== undefined
  const journal = await openJournal({ directory, syncEach: options.syncEach ?? false, keepAppliedMs, resume })
  if (!resume) await claimDirectory(directory)
  const directories = options.oldJournals === undefined ? [journals] : [options.oldJournals, journals]
  const replay = async () => {
    for (const from of directories) await replayDeadJournals({ db, journals: from, self: holder, log, logs })
  }
  if (!options.withoutDatabase) {
    journal.heartbeat(startedAt)
    await replay()
  }

  async function register(): Promise<void> {
    const sent = monotonicMs()
    await registerProcess(db, holder, leaseSeconds)
    isRegistered = true
    journal.heartbeat(sent)
  }
  const outageCredit = new OutageCredit(options.outageCredit ?? (() => 0), resume?.overdrawn)
  let leasesMayBeLost = false
  const settler = startSettler({
    db,
    holder,
    journal,
    log,
    logs,
    intervalMs: options.settleIntervalMs,
    onLost: () => (leasesMayBeLost = true),
    onUncovered: (amount) => uncovered(amount),
  })
  const takeFromDatabase = batchTakes({
    takeOne: (request) => takeLease(db, { holder, ...request }),
    takeMany: (requests) => takeLeases(db, holder, requests),
  })
  const book = createLeaseBook({
    now: () => performance.now(),
    aheadSeconds,
    ...(options.deadlineMs !== undefined && { deadlineMs: options.deadlineMs }),
    source: {
      ping: () => ping(db),
      // The journal never says that more is held than the leases have: a process that continues it would spend it twice.
      async take(account, amounts) {
        if (!isRegistered) await register() // leases of an unknown process are returned
        const amount = await takeFromDatabase(account, amounts)
        if (amount === 0) return 0
        void journal.changeHeld(account, amount)
        outageCredit.end(account.userId)
        return amount
      },
      async returnCredit(returned) {
        const changes = returned.map(({ amount, ...account }) => journal.changeHeld(account, -amount))
        await Promise.allSettled(changes) // a journal with a failed write is not continued
        await returnLeases(db, holder, returned)
      },
      async returnAll(accounts) {
        await settler.flush() // spending must be settled against the leases first
        await Promise.allSettled(accounts.map((account) => journal.clearHeld(account)))
        await releaseLeases(db, holder, accounts)
      },
      async recall(account) {
        if (!(await isLeasedElsewhere(db, holder, account))) return false
        await publish(db, { kind: 'credit', userId: account.userId })
        return true
      },
    },
  })
  for (const { amount, ...account } of resume ? spendableCredit(resume) : []) book.account(account).receive(amount)
  const unsubscribe = options.listener?.subscribe({
    onNotification(notification) {
      if (notification.kind === 'credit') returnIdleCredit(notification.userId)
    },
    onGap: () => (mayBeOverdrawn = true),
  })

  function returnIdleCredit(userId: number): void {
    book.returnIdle(userId).catch((error: unknown) => logEvent(log, 'credit.return_failed', { err: error, userId }))
  }

  /**
   * A lost notification may have said that a balance was reduced below what is leased. All other leases stay: to return
   * them all would ask a database that has just returned for each account.
   */
  let mayBeOverdrawn = false
  async function returnOverdrawn(): Promise<void> {
    if (!mayBeOverdrawn) return
    mayBeOverdrawn = false
    try {
      for (const userId of await findOverdrawnLeases(db, holder)) await book.returnIdle(userId)
    } catch (error) {
      mayBeOverdrawn = true
      throw error
    }
  }

  let uncoveredQuota = 0
  const uncovered = (amount: number) => {
    uncoveredQuota += amount
    logEvent(log, 'billing.uncovered', { amount })
  }
  let lastWrite: { readonly written: Promise<void>; readonly durable: Promise<void> } | undefined
  const reservationDeps = {
    book,
    journal,
    keepLog,
    /** Charges that are written together wait for one promise. If the disk fails, the database is the safe place. */
    afterWrite(written: Promise<void>) {
      if (lastWrite?.written !== written) lastWrite = { written, durable: written.catch(() => settler.flush()) }
      return lastWrite.durable
    },
    outageCredit,
    uncovered,
  }
  let unsettled = resume
  /** The database is back: settles what the process before left behind. */
  async function completeResume(): Promise<void> {
    if (!unsettled) return
    await settler.restoreLost()
    if (await hasLostLeases(db, holder, journal)) leasesMayBeLost = true
    await chargeInterrupted(db, journal, unsettled.interrupted)
    unsettled = undefined
    logEvent(log, 'journal.resumed', { holder })
  }

  let lastHeartbeat = performance.now() - (startedAt - (resume?.heartbeatAt ?? startedAt))
  async function heartbeat(): Promise<void> {
    const sent = performance.now()
    const sentAt = monotonicMs()
    if (!isRegistered) await register()
    await completeResume()
    await settler.restoreLost()
    const isKnown = await sendHeartbeat(db, holder)
    if (!isKnown) logEvent(log, 'credit.lease_lost', { holder })
    if (!isKnown || leasesMayBeLost) {
      await book.invalidate(async () => {
        await settler.flush()
        await Promise.allSettled([journal.clearHeld()])
        await releaseHolder(db, holder)
      })
      leasesMayBeLost = false
      await register()
    }
    lastHeartbeat = sent
    journal.heartbeat(sentAt)
  }

  const sweep = async () => {
    await returnOverdrawn()
    await book.sweep()
  }
  const loops = [every(SWEEP_MS, sweep), every(HEARTBEAT_MS, heartbeat), every(REPLAY_MS, replay)]
  /** A slow round delays the next one; rounds do not queue up. */
  function every(milliseconds: number, work: () => Promise<void>) {
    let running: Promise<void> | undefined
    const timer = setInterval(() => {
      running ??= work()
        .catch((error: unknown) => logEvent(log, 'credit.maintenance_failed', { err: error }))
        .finally(() => (running = undefined))
    }, milliseconds)
    return {
      async stop() {
        clearInterval(timer)
        await running
      },
    }
  }

  const isInTime = () => performance.now() - lastHeartbeat <= outageSeconds * 1000
  return {
    isAvailable() {
      const mayHoldCredit = isRegistered || outageCredit.isOffered
      return mayHoldCredit && isInTime() && journal.pendingBytes <= journalLimitBytes && !isLogFull()
    },
    reserve(request) {
      if (journal.pendingBytes > journalLimitBytes) {
        logEvent(log, 'journal.full', { bytes: journal.pendingBytes })
        throw settlementUnavailable()
      }
      if (!isInTime() || isLogFull()) throw settlementUnavailable()
      return new CreditReservation(request, reservationDeps).open()
    },
    waiting: () => ({
      settlements: journal.pendingSettlements,
      bytes: journal.pendingBytes,
      limitBytes: journalLimitBytes,
    }),
    disk: () => journal.disk,
    uncovered: () => uncoveredQuota,
    flush: () => settler.flush(),
    async stop() {
      unsubscribe?.()
      await withinDeadline(2 * STOP_DEADLINE_MS, async () => {
        await Promise.all(loops.map((loop) => loop.stop()))
        await book.close()
        await settler.stop(STOP_DEADLINE_MS)
        await completeResume()
        await settler.flush()
        await ping(db) // without the database, the next process continues with the leases
        await Promise.allSettled([journal.clearHeld()])
        await releaseHolder(db, holder)
      })
      await journal.close()
    },
  }
}

/** The journal keeps what an unresponsive database has not settled; the next start replays it. */
async function withinDeadline(milliseconds: number, work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`the database did not respond within ${milliseconds} ms`)
    timer = setTimeout(reject, milliseconds, error)
  })
  await Promise.race([work(), late]).finally(() => clearTimeout(timer))
}
