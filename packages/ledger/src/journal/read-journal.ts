import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildSettlement, markInterrupted, type SettlementRecord } from '../settlement/settlement.ts'
import { hasFrames, readFrames } from './frames.ts'
import { decodeLine } from './lines.ts'
import { readRecord, type JournalRecord } from './records.ts'
import { MissingText, TextTable } from './text-table.ts'

export interface RecoveredBatch {
  number: number
  settlements: SettlementRecord[]
}

export interface RecoveredJournal {
  /** In order. The last batch contains open settlements and requests that were interrupted while streaming. */
  batches: RecoveredBatch[]
  /** Unreadable records. One is normal: the write that the crash truncated. */
  damagedRecords: number
}

const SEGMENT = /^\d+\.journal$/

/** Reads the journal of a dead process. Reading it again gives the same batches. */
export async function readJournal(directory: string): Promise<RecoveredJournal> {
  const recovery = new Recovery()
  for (const name of (await readdir(directory)).filter((name) => SEGMENT.test(name)).toSorted()) {
    const file = await readFile(join(directory, name))
    if (hasFrames(file)) readSegment(file, recovery)
    else readLines(file, recovery)
  }
  return recovery.end()
}

function readSegment(file: Buffer, recovery: Recovery): void {
  const texts = new TextTable()
  for (const payload of readFrames(file, () => void (recovery.damagedRecords += 1))) {
    const record = readIfWhole(payload, texts)
    if (!record) recovery.damagedRecords += 1
    else if (record.kind === 'segment') recovery.beginBatch(record.batch)
    else if (record.kind === 'cut') recovery.beginBatch(record.batch + 1)
    else if (record.kind === 'release') recovery.release(record.requestId)
    else if (record.kind === 'checkpoint') recovery.checkpoint(buildSettlement(record.charge))
    else if (record.kind === 'charge') recovery.settle(record.batch, buildSettlement(record.charge))
  }
}

/** A damaged text makes the records unreadable that name it, and no others. */
function readIfWhole(payload: Buffer, texts: TextTable): JournalRecord | undefined {
  try {
    return readRecord(payload, texts)
  } catch (error) {
    if (error instanceof MissingText) return undefined
    throw error
  }
}

function readLines(file: Buffer, recovery: Recovery): void {
  const lines = file.toString().split('\n')
  if (lines.at(-1) === '') lines.pop()
  for (const text of lines) {
    const line = decodeLine(text)
    if (!line) recovery.damagedRecords += 1
    else if (line.kind === 'segment') recovery.beginBatch(line.batch)
    else if (line.kind === 'cut') recovery.beginBatch(line.batch + 1)
    else if (line.kind === 'release') recovery.release(line.requestId)
    else if (line.kind === 'checkpoint') recovery.checkpoint(line.booking)
    else recovery.settle(line.batch, line.booking)
  }
}

/** Puts the records of a journal in batches. */
class Recovery {
  damagedRecords = 0
  readonly #batches: RecoveredBatch[] = []
  readonly #openCheckpoints = new Map<string, SettlementRecord>()
  #tail: RecoveredBatch = { number: 1, settlements: [] }

  beginBatch(number: number): void {
    if (number === this.#tail.number) return
    if (this.#tail.settlements.length > 0) this.#batches.push(this.#tail)
    this.#tail = { number, settlements: [] }
  }

  settle(batch: number, settlement: SettlementRecord): void {
    this.#openCheckpoints.delete(settlement.requestId)
    this.beginBatch(batch)
    this.#tail.settlements.push(settlement)
  }

  checkpoint(settlement: SettlementRecord): void {
    this.#openCheckpoints.set(settlement.requestId, settlement)
  }

  release(requestId: string): void {
    this.#openCheckpoints.delete(requestId)
  }

  end(): RecoveredJournal {
    this.#tail.settlements.push(...[...this.#openCheckpoints.values()].map(markInterrupted))
    if (this.#tail.settlements.length > 0) this.#batches.push(this.#tail)
    return { batches: this.#batches, damagedRecords: this.damagedRecords }
  }
}
