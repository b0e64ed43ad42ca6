import { logEvent, type Log } from '@tidegate/contract'
import type { Db, LogWriter } from '@tidegate/storage'
import type { Batch, Journal } from '../journal/journal.ts'
import { settleBatch } from './apply-batch.ts'
import { lastAppliedBatch } from './settled-batches.ts'

interface SettlerDeps {
  db: Db
  holder: string
  journal: Journal
  log: Log
  logs?: LogWriter | undefined
  intervalMs?: number | undefined
  /** The database has lost transactions of this process. */
  onLost?: () => void
  /** Called with every amount that an account could not pay. */
  onUncovered?: (amount: number) => void
}

export interface Settler {
  /** Applies everything that is pending now. Rejects if the database fails. */
  flush(): Promise<void>
  /**
   * Applies batches that the database lacks: a standby may have lost them in a failover, or the process before this one
   * could not apply them.
   */
  restoreLost(): Promise<void>
  /** Applies the rest, retrying until the deadline, and stops. */
  stop(deadlineMs: number): Promise<void>
}

const INTERVAL_MS = 200
/** After an outage, the first batches are larger and fewer: every process of the site has some. */
const RESUME_PAUSE_MS = 1_000
const RESUME_ROUNDS = 3
const MAX_PAUSE_MS = 5_000

/** Applies the journal to the database, batch by batch and in order, however long the database is unavailable. */
export function startSettler(deps: SettlerDeps): Settler {
  const { db, holder, journal, log, logs, intervalMs: everyMs = INTERVAL_MS, onLost, onUncovered } = deps
  let stopped = false
  let failures = 0
  let slowRounds = 0
  let applying: Promise<void> | undefined
  let next: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  /** What arrives meanwhile waits for the next round: a batch of one costs nearly as much as one of hundreds. */
  async function applyPending(): Promise<void> {
    for (let left = journal.pendingSettlements; left > 0;) {
      const batch = await journal.nextBatch()
      if (!batch) return
      // A batch reaches the database only after the journal, so that its number is known after a crash. If the disk
      // fails, there is nothing to wait for, and the database is the safer place.
      await batch.written.catch((error: unknown) => logEvent(log, 'journal.write_failed', { err: error }))
      await applyNext(batch)
      await journal.markApplied(batch)
      left -= batch.size
    }
  }

  async function applyNext(batch: Batch): Promise<void> {
    const { number, checkpointed } = batch
    const id = { holder, number, logs, checkpointed, onUncovered }
    if (await settleBatch(db, { ...id, after: number - 1 }, batch.settlements())) return
    await restoreLost()
    // Not applied again if only the response to an earlier attempt was lost.
    await settleBatch(db, id, batch.settlements())
  }

  /** Callers during a run share it, so that each lost batch is counted once. */
  let restoring: Promise<void> | undefined
  function restoreLost(): Promise<void> {
    restoring ??= restore().finally(() => (restoring = undefined))
    return restoring
  }

  async function restore(): Promise<void> {
    const { lastApplied } = journal // before the query, because batches are applied meanwhile
    const last = await lastAppliedBatch(db, holder)
    const lost = lastApplied - last
    if (lost > 0) {
      if (!journal.isResuming) onLost?.()
      let restored = 0
      for await (const { number, settlements } of journal.readApplied(last)) {
        if (await settleBatch(db, { holder, number, logs, onUncovered }, settlements)) restored += 1
      }
      if (!journal.isResuming) logEvent(log, 'settlement.restored', { restored, missing: lost - restored })
    }
    journal.markResumed()
  }

  function start(): Promise<void> {
    applying = applyPending().finally(() => (applying = undefined))
    return applying
  }

  /** Callers during a round share the next one, because this one may have missed their settlements. */
  function flush(): Promise<void> {
    if (!applying) return start()
    next ??= applying
      .catch(() => {})
      .then(() => {
        next = undefined
        return applying ?? start()
      })
    return next
  }

  async function runRound(): Promise<void> {
    try {
      await flush()
      if (failures > 0) {
        logEvent(log, 'settlement.resumed', { failures })
        slowRounds = RESUME_ROUNDS
      }
      failures = 0
    } catch (error) {
      failures++
      if (failures === 1 || failures % 20 === 0) {
        logEvent(log, 'settlement.delayed', { err: error, waiting: journal.pendingSettlements, failures })
      }
    }
    if (!stopped) schedule()
  }

  function schedule(): void {
    timer = setTimeout(() => void runRound(), nextPause())
  }

  function nextPause(): number {
    // Processes that lost the database together must not return together.
    if (failures > 0) return (Math.min(everyMs * 2 ** failures, MAX_PAUSE_MS) * (1 + Math.random())) / 2
    if (slowRounds === 0) return everyMs
    slowRounds -= 1
    return Math.max(everyMs, RESUME_PAUSE_MS)
  }

  schedule()
  return {
    flush,
    restoreLost,
    async stop(deadlineMs) {
      stopped = true
      clearTimeout(timer)
      const deadline = performance.now() + deadlineMs
      for (let pause = 50; ; pause = Math.min(pause * 2, 1_000)) {
        try {
          await flush()
          return
        } catch (error) {
          if (performance.now() + pause > deadline) throw error
          await new Promise((resolve) => setTimeout(resolve, pause))
        }
      }
    },
  }
}
