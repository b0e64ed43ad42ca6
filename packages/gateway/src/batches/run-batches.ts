import { type Log, logEvent, type Settings } from '@tidegate/contract'
import type { Batch, BatchQueue, ClaimedLine, FileStore, SubmittedBatch } from '../ports/index.ts'
import { lineRequestId } from './batch-format.ts'
import { type LineResponse, outcomeOf, tokensOf } from './line-outcome.ts'
import { leaseKeeper, LostLease, type ProviderBatches, readRequests, writeResults } from './prepare-batch.ts'
import { sharePlaces } from './share-places.ts'

type RunnerSettings = Pick<Settings, 'batches.concurrency' | 'batches.batch_concurrency' | 'files.retention_days'>

export interface RunnerDeps {
  readonly queue: BatchQueue
  readonly files: FileStore
  readonly log: Log
  readonly now: () => number
  readonly settings: () => RunnerSettings
  readonly providers: ProviderBatches
  /** Serves a line as a request of its own. Never throws. */
  serveLine(line: ClaimedLine): Promise<LineResponse>
}

export interface RunningBatches {
  /** Starts nothing new. */
  pause(): void
  /** Waits for what runs. What was interrupted runs again in another process. */
  stop(): Promise<void>
}

const ROUND_MS = 1_000
/** After a line ended, its place is given to another one. Together they cost one query. */
const REFILL_MS = 20
const RENEW_MS = 5_000
const UNCOVERED_WAIT_SECONDS = 2
/** A batch takes long while its results are read. */
const MAX_POLLS = 4

/** Runs batches in this process, together with those of other processes, until `stop`. */
export function runBatches(deps: RunnerDeps): RunningBatches {
  return new BatchRunner(deps)
}

class BatchRunner implements RunningBatches {
  readonly #deps: RunnerDeps
  readonly #lines = new Set<Promise<void>>()
  readonly #polls = new Map<string, Promise<void>>()
  readonly #renewal: NodeJS.Timeout
  #preparing: { readonly batchId: string; readonly done: Promise<void> } | undefined
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> | undefined
  readonly #stopping = new AbortController()
  #isPaused = false

  constructor(deps: RunnerDeps) {
    this.#deps = deps
    this.#renewal = setInterval(() => void this.#renew(), RENEW_MS).unref()
    this.#schedule(0)
  }

  pause(): void {
    this.#isPaused = true
    clearTimeout(this.#timer)
  }

  async stop(): Promise<void> {
    this.pause()
    this.#stopping.abort()
    await this.#round
    await this.#preparing?.done
    await Promise.allSettled(this.#polls.values())
    while (this.#lines.size > 0) await Promise.allSettled(this.#lines)
    clearInterval(this.#renewal)
  }

  /** An earlier round replaces a later one. */
  #schedule(milliseconds: number): void {
    if (this.#isPaused || this.#round) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#round = this.#run()
        .catch((error: unknown) => logEvent(this.#deps.log, 'batch.round_failed', { err: error }))
        .finally(() => {
          this.#round = undefined
          this.#schedule(ROUND_MS)
        })
    }, milliseconds)
  }

  #lastAdvance = -Infinity

  async #run(): Promise<void> {
    const { queue, now, settings } = this.#deps
    if (now() - this.#lastAdvance >= ROUND_MS) {
      if (!(await queue.hasOpen())) return
      await queue.advance(new Date(now()))
      this.#lastAdvance = now()
      if (!this.#preparing) await this.#prepareNext()
      if (this.#polls.size < MAX_POLLS) await this.#pollNext()
    }
    if (this.#isPaused) return
    const concurrency = { site: settings()['batches.concurrency'], batch: settings()['batches.batch_concurrency'] }
    for (const line of await queue.claimLines((open) => sharePlaces(open, concurrency))) {
      const running = this.#runLine(line).finally(() => {
        this.#lines.delete(running)
        this.#schedule(REFILL_MS)
      })
      this.#lines.add(running)
    }
  }

  /** Reads the requests of a batch, or writes its results: one batch at a time. */
  async #prepareNext(): Promise<void> {
    const batch = await this.#deps.queue.claim()
    if (!batch) return
    const done = this.#prepare(batch).finally(() => {
      this.#preparing = undefined
      this.#lastAdvance = -Infinity
      this.#schedule(0)
    })
    this.#preparing = { batchId: batch.id, done }
  }

  async #prepare(batch: Batch): Promise<void> {
    const { queue, log } = this.#deps
    try {
      if (batch.state === 'validating') await readRequests(this.#deps, batch, () => this.#isPaused)
      else await writeResults(this.#deps, batch, () => this.#isPaused)
    } catch (error) {
      if (!(error instanceof LostLease)) logEvent(log, 'batch.prepare_failed', { err: error, batchId: batch.id })
      await queue.release(batch.id).catch(() => {}) // the lease ends by itself
    }
  }

  /** Submits or polls a batch that a provider runs. */
  async #pollNext(): Promise<void> {
    const batch = await this.#deps.queue.claimDue()
    if (!batch) return
    const done = this.#poll(batch).finally(() => {
      this.#polls.delete(batch.id)
      this.#lastAdvance = -Infinity
      this.#schedule(0)
    })
    this.#polls.set(batch.id, done)
  }

  async #poll(batch: SubmittedBatch): Promise<void> {
    const { queue, log, providers } = this.#deps
    try {
      const { signal } = this.#stopping
      await providers.advance(batch, { keepLease: leaseKeeper(queue, batch.id, () => signal.aborted), signal })
    } catch (error) {
      if (!(error instanceof LostLease)) logEvent(log, 'batch.poll_failed', { err: error, batchId: batch.id })
      await queue.release(batch.id).catch(() => {}) // the lease ends by itself
    }
  }

  async #runLine(line: ClaimedLine): Promise<void> {
    const { queue, log, serveLine } = this.#deps
    const id = lineRequestId(line.batchId, line.number)
    try {
      const returnsBefore = this.#uncovered.has(id) ? await this.#countReturns(line.userId) : undefined
      const response = await serveLine(line)
      const outcome = outcomeOf(response, line.attempts)
      if (outcome.kind === 'uncovered') {
        this.#uncovered.add(id)
        return await this.#endUncovered(line, returnsBefore)
      }
      this.#uncovered.delete(id)
      this.#returns.set(line.userId, (this.#returns.get(line.userId) ?? 0) + 1)
      switch (outcome.kind) {
        case 'retry':
          return await queue.retryLine(line, outcome)
        case 'finished':
          await this.#finish(line, response, outcome.isSuccess)
      }
    } catch (error) {
      // Its lease ends, and it runs again.
      logEvent(log, 'batch.line_not_recorded', { err: error, batchId: line.batchId, line: line.number })
    }
  }

  /** Lines that the balance did not cover. */
  readonly #uncovered = new Set<string>()
  /** How many lines of a user returned credit to their account in this process. */
  readonly #returns = new Map<number, number>()

  /** The same for all processes. Lines that still run return credit, too. */
  async #countReturns(userId: number): Promise<{ running: number; count: number }> {
    const { running, finished } = await this.#deps.queue.readActivity(userId)
    return { running, count: finished + (this.#returns.get(userId) ?? 0) }
  }

  /**
   * The balance is used up if no line runs that could return credit, and none did so during this attempt. The first
   * attempt of a line never decides it. The line waits first: lines that fail together would otherwise wait for each
   * other.
   */
  async #endUncovered(line: ClaimedLine, before: { readonly count: number } | undefined): Promise<void> {
    const { queue } = this.#deps
    await queue.retryLine(line, { seconds: UNCOVERED_WAIT_SECONDS, counts: false })
    if (!before) return
    const { running, count } = await this.#countReturns(line.userId)
    if (running > 0 || count !== before.count) return
    await queue.failPending(line.batchId)
    for (const id of this.#uncovered)
      if (id.startsWith(lineRequestId(line.batchId, 0).slice(0, -1))) this.#uncovered.delete(id)
  }

  async #finish(line: ClaimedLine, { status, text }: LineResponse, isSuccess: boolean): Promise<void> {
    const { queue } = this.#deps
    const requestId = lineRequestId(line.batchId, line.number)
    await queue.finishLine(line, isSuccess, { status, requestId, body: text, ...tokensOf(text) })
  }

  async #renew(): Promise<void> {
    const { queue, log } = this.#deps
    try {
      if (this.#lines.size > 0) await queue.renewLines()
      if (this.#preparing) await queue.renew(this.#preparing.batchId)
      for (const batchId of this.#polls.keys()) await queue.renew(batchId)
    } catch (error) {
      logEvent(log, 'batch.lease_not_renewed', { err: error, lines: this.#lines.size })
    }
  }
}
