import type { Db } from '@tidegate/storage'
import type { Journal } from '../journal/journal.ts'
import { applyPendingBatch } from './apply-batch.ts'

interface SettlerDeps {
  db: Db
  holder: string
  journal: Journal
  log: { info(details: object, message: string): void; warn(details: object, message: string): void }
  intervalMs?: number
}

export interface Settler {
  /** Applies all that waits now. Rejects when the database does not take it. */
  flush(): Promise<void>
  /** Applies what is left, trying until the deadline, and stops. */
  stop(deadlineMs: number): Promise<void>
}

const INTERVAL_MS = 200
const MAX_PAUSE_MS = 5_000

/** Carries the journal into the database, batch by batch, in order, however long the database is away. */
export function startSettler({ db, holder, journal, log, intervalMs: everyMs = INTERVAL_MS }: SettlerDeps): Settler {
  let stopped = false
  let failures = 0
  let applying: Promise<void> | undefined
  let next: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  /** What arrives meanwhile waits for its turn: a batch of one costs the database nearly as much as one of hundreds. */
  async function applyPending(): Promise<void> {
    for (let left = journal.pendingSettlements; left > 0;) {
      const batch = await journal.nextBatch()
      if (!batch) return
      // A batch reaches the database only after the journal, so that a death in between leaves no half-known number.
      // When the disk fails there is nothing to wait for, and the database is the better place anyway.
      await batch.written.catch((error: unknown) => log.warn({ err: error }, 'the journal could not be written'))
      await applyPendingBatch(db, { holder, number: batch.number }, batch.settlements)
      await journal.applied(batch)
      left -= batch.settlements.length
    }
  }

  function start(): Promise<void> {
    applying = applyPending().finally(() => (applying = undefined))
    return applying
  }

  /** Those who ask while a round is under way share the next: what they wait for may have come too late for this one. */
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
      if (failures > 0) log.info({ failures }, 'settlement goes on')
      failures = 0
    } catch (error) {
      failures++
      if (failures === 1 || failures % 20 === 0) {
        log.warn({ err: error, waiting: journal.pendingSettlements, failures }, 'settlement waits for the database')
      }
    }
    if (!stopped) schedule()
  }

  function schedule(): void {
    const pause = failures === 0 ? everyMs : Math.min(everyMs * 2 ** failures, MAX_PAUSE_MS)
    timer = setTimeout(() => void runRound(), pause)
  }

  schedule()
  return {
    flush,
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
