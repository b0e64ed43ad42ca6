import { open, readdir, readFile } from 'node:fs/promises'
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

/** Requests that the crash interrupted. They have no batch number: the disk may have been full since their checkpoint. */
export interface InterruptedRequests {
  number?: undefined
  settlements: SettlementRecord[]
}

const SEGMENT = /^\d+\.journal$/

/**
 * Reads the journal of a dead process, batch by batch: a full one is too large for the memory. Reading it again gives
 * the same batches. The last one may be incomplete. Requests that were interrupted while streaming come after it. Leaves
 * out full segments whose batches are at most `after`. Returns the number of unreadable records. One is normal: the
 * write that the crash truncated.
 */
export async function* readJournal(
  directory: string,
  after = 0,
): AsyncGenerator<RecoveredBatch | InterruptedRequests, number, void> {
  const recovery = new Recovery()
  yield* readCompleteBatches(directory, after, recovery)
  for (const last of [recovery.lastBatch(), recovery.interrupted()]) if (last.settlements.length > 0) yield last
  return recovery.damagedRecords
}

/** Reads the batches above `after` from the journal of a process that runs, except the one that still grows. */
export async function* readWrittenBatches(
  directory: string,
  after: number,
): AsyncGenerator<RecoveredBatch, void, void> {
  for await (const batch of readCompleteBatches(directory, after, new Recovery())) if (batch.number > after) yield batch
}

async function* readCompleteBatches(
  directory: string,
  after: number,
  recovery: Recovery,
): AsyncGenerator<RecoveredBatch, void, void> {
  const names = (await readdir(directory)).filter((name) => SEGMENT.test(name)).toSorted()
  for (const path of await leaveOutApplied(
    names.map((name) => join(directory, name)),
    after,
  )) {
    const file = await readFile(path)
    for (const batch of hasFrames(file) ? readSegment(file, recovery) : readLines(file, recovery)) {
      if (batch) yield batch
    }
  }
}

/** A segment begins with all open checkpoints, so those before it are not needed once their batches are applied. */
async function leaveOutApplied(paths: readonly string[], after: number): Promise<readonly string[]> {
  for (let index = paths.length - 1; index > 0; index -= 1) {
    const first = await firstBatch(paths[index]!)
    if (first !== undefined && first <= after + 1) return paths.slice(index)
  }
  return paths
}

const HEADER_BYTES = 64

/** The batch that a segment begins with. */
async function firstBatch(path: string): Promise<number | undefined> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
    const payload = readFrames(buffer.subarray(0, bytesRead)).next().value
    const record = payload && readIfWhole(payload, new TextTable())
    return record?.kind === 'segment' ? record.batch : undefined
  } finally {
    await handle.close()
  }
}

/** The batch that a record completes, if it does. */
type Completed = RecoveredBatch | undefined

function* readSegment(file: Buffer, recovery: Recovery): Generator<Completed, void, void> {
  const texts = new TextTable()
  for (const payload of readFrames(file, () => void (recovery.damagedRecords += 1))) {
    const record = readIfWhole(payload, texts)
    if (!record) recovery.damagedRecords += 1
    else if (record.kind === 'segment') yield recovery.beginBatch(record.batch)
    else if (record.kind === 'cut') yield recovery.beginBatch(record.batch + 1)
    else if (record.kind === 'release') recovery.release(record.requestId)
    else if (record.kind === 'checkpoint') recovery.checkpoint(buildSettlement(record.charge))
    else if (record.kind === 'charge') yield recovery.settle(record.batch, buildSettlement(record.charge))
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

function* readLines(file: Buffer, recovery: Recovery): Generator<Completed, void, void> {
  const lines = file.toString().split('\n')
  if (lines.at(-1) === '') lines.pop()
  for (const text of lines) {
    const line = decodeLine(text)
    if (!line) recovery.damagedRecords += 1
    else if (line.kind === 'segment') yield recovery.beginBatch(line.batch)
    else if (line.kind === 'cut') yield recovery.beginBatch(line.batch + 1)
    else if (line.kind === 'release') recovery.release(line.requestId)
    else if (line.kind === 'checkpoint') recovery.checkpoint(line.booking)
    else yield recovery.settle(line.batch, line.booking)
  }
}

/** Puts the records of a journal in batches. */
class Recovery {
  damagedRecords = 0
  readonly #openCheckpoints = new Map<string, SettlementRecord>()
  #tail: RecoveredBatch = { number: 1, settlements: [] }

  /** Returns the batch before, if it is complete. */
  beginBatch(number: number): RecoveredBatch | undefined {
    if (number === this.#tail.number) return undefined
    const before = this.#tail
    this.#tail = { number, settlements: [] }
    return before.settlements.length > 0 ? before : undefined
  }

  settle(batch: number, settlement: SettlementRecord): RecoveredBatch | undefined {
    this.#openCheckpoints.delete(settlement.requestId)
    const before = this.beginBatch(batch)
    this.#tail.settlements.push(settlement)
    return before
  }

  checkpoint(settlement: SettlementRecord): void {
    this.#openCheckpoints.set(settlement.requestId, settlement)
  }

  release(requestId: string): void {
    this.#openCheckpoints.delete(requestId)
  }

  lastBatch(): RecoveredBatch {
    return this.#tail
  }

  interrupted(): InterruptedRequests {
    return { settlements: [...this.#openCheckpoints.values()].map(markInterrupted) }
  }
}
