import { access, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReceiptData } from '@tidegate/pricing'
import type { Charge } from '../settlement/settlement.ts'
import { hasFrames, readFrames } from './frames.ts'
import { HeldCredit } from './held-credit.ts'
import { readRecord, type JournalRecord } from './records.ts'
import { TextTable } from './text-table.ts'

/** What a dead process left in its journal, for the process that continues it without the database. */
export interface RecoveredProcess {
  /** Its last batch. The database may not have it yet. */
  readonly lastBatch: number
  /** Its segments, oldest first. */
  readonly paths: readonly string[]
  readonly bytes: number
  readonly held: HeldCredit
  /** When the database last knew that the process lived, by the monotonic clock of the machine. */
  readonly heartbeatAt: number
  /** Requests that were open. */
  readonly interrupted: readonly Charge<ReceiptData>[]
  /** What each user spent without a lease. */
  readonly overdrawn: ReadonlyMap<number, number>
}

/** Exists while everything that the process did is in its journal: it is removed when a write fails. */
export const COMPLETE_MARKER = 'complete'

export const SEGMENT_NAME = /^(\d+)\.journal$/

/** Undefined if the journal does not say exactly how much credit the process held. */
export async function recoverProcess(directory: string): Promise<RecoveredProcess | undefined> {
  try {
    await access(join(directory, COMPLETE_MARKER))
    const names = (await readdir(directory)).filter((name) => SEGMENT_NAME.test(name)).toSorted()
    const recovery = new ProcessRecovery()
    for (const name of names) recovery.read(await readFile(join(directory, name)))
    return recovery.result(names.map((name) => join(directory, name)))
  } catch {
    return undefined // it cannot be read: it is settled when the database is back
  }
}

class ProcessRecovery {
  #lastBatch = 0
  #bytes = 0
  #heartbeatAt: number | undefined
  #isDamaged = false
  readonly #held = new HeldCredit()
  readonly #open = new Map<string, Charge<ReceiptData>>()
  readonly #overdrawn = new Map<number, number>()

  read(file: Buffer): void {
    if (!hasFrames(file) && file.length > 0) throw new Error('a journal of an earlier release')
    const texts = new TextTable()
    let damaged = false
    for (const payload of readFrames(file, () => (damaged = true))) {
      // A crash truncates the last record. Damage before other records may hide a charge.
      if (damaged) this.#isDamaged = true
      this.#apply(readRecord(payload, texts))
    }
    this.#bytes += file.length
  }

  #apply(record: JournalRecord): void {
    switch (record.kind) {
      case 'segment':
        this.#held.clear() // it repeats all amounts
        this.#lastBatch = Math.max(this.#lastBatch, record.batch - 1)
        return
      case 'cut':
        this.#lastBatch = Math.max(this.#lastBatch, record.batch)
        return
      case 'charge':
        this.#lastBatch = Math.max(this.#lastBatch, record.batch)
        this.#charge(record.charge)
        return
      case 'checkpoint':
        this.#open.set(record.charge.base.requestId, record.charge)
        return
      case 'release':
        this.#open.delete(record.requestId)
        return
      case 'held':
        this.#held.set(record.account, record.amount)
        return
      case 'nothing-held':
        this.#held.clear()
        return
      case 'heartbeat':
        this.#heartbeatAt = record.at
        return
      case 'text':
    }
  }

  #charge(charge: Charge<ReceiptData>): void {
    const { base, overdrawn = 0 } = charge
    this.#open.delete(base.requestId)
    this.#held.spend(charge)
    if (overdrawn > 0) this.#overdrawn.set(base.userId, (this.#overdrawn.get(base.userId) ?? 0) + overdrawn)
  }

  result(paths: readonly string[]): RecoveredProcess | undefined {
    if (this.#isDamaged || this.#heartbeatAt === undefined) return undefined
    return {
      lastBatch: this.#lastBatch,
      paths,
      bytes: this.#bytes,
      held: this.#held,
      heartbeatAt: this.#heartbeatAt,
      interrupted: [...this.#open.values()],
      overdrawn: this.#overdrawn,
    }
  }
}
