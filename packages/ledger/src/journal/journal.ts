import { rmSync, statfsSync } from 'node:fs'
import { mkdir, open, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { ReceiptData } from '@tidegate/pricing'
import type { AccountId } from '../leases/lease-rows.ts'
import { buildSettlement, type Charge, type SettlementRecord } from '../settlement/settlement.ts'
import { openAppendFile, type AppendFile } from './append-file.ts'
import { ByteWriter } from './bytes.ts'
import { readFrames } from './frames.ts'
import { HeldCredit } from './held-credit.ts'
import { readWrittenBatches, type RecoveredBatch } from './read-journal.ts'
import * as records from './records.ts'
import { COMPLETE_MARKER, type RecoveredProcess, SEGMENT_NAME } from './recover-process.ts'
import { TextTable } from './text-table.ts'

/** Settlements that are applied together, under a number that makes them count once. */
export interface Batch {
  readonly number: number
  readonly size: number
  /** Builds the log rows, one at a time, whenever they are iterated. */
  settlements(): Iterable<SettlementRecord>
  /** Request ids that had a checkpoint. */
  readonly checkpointed: readonly string[]
  readonly bytes: number
  /** Rejects if the batch could not be written to disk; its settlements can still reach the database. */
  readonly written: Promise<void>
}

export interface Journal {
  /** Resolves when the charge survives a crash of this process. Charges that are written together share one promise. */
  append(charge: Charge | Charge<ReceiptData>): Promise<void>
  /** Records how an open request would be billed if the process crashed now. */
  checkpoint(charge: Charge): void
  /** The request is not billed: its checkpoints are void. */
  release(requestId: string): void
  /** Returns the oldest batch that is not applied; closes the current one if there is no other. */
  nextBatch(): Promise<Batch | undefined>
  /** The batch is in the database: what only it needed is removed, now or after `keepAppliedMs`. */
  markApplied(batch: Batch): Promise<void>
  /** The number of the last batch that was marked as applied. */
  readonly lastApplied: number
  /** Batches above `after` that were applied and are still on disk. */
  readApplied(after: number): AsyncIterable<RecoveredBatch>
  /** Records a change of the credit that is leased of an account. Resolves when it survives a crash of this process. */
  changeHeld(account: AccountId, change: number): Promise<void>
  /** Records that nothing is leased, of one account or of all. */
  clearHeld(account?: AccountId): Promise<void>
  readonly held: HeldCredit
  /** Records that the database knows this process, in milliseconds of the monotonic clock of the machine. */
  heartbeat(at: number): void
  /** Whether batches of the process before are not in the database yet. */
  readonly isResuming: boolean
  /** The batches of the process before are in the database. */
  markResumed(): void
  /** Bytes of settlements that are not in the database yet. */
  readonly pendingBytes: number
  readonly pendingSettlements: number
  readonly disk: JournalDisk
  /** Closes the file. Removes the directory if nothing is left to apply. */
  close(): Promise<void>
}

export interface JournalDisk {
  /** Whether the last write failed. */
  readonly isFailing: boolean
  /** Since the process started. */
  readonly failedWrites: number
  /** Undefined if the file system does not report it. */
  readonly freeBytes: number | undefined
}

interface JournalOptions {
  directory: string
  /** Every settlement waits for the disk, so that a power failure loses nothing either. */
  syncEach: boolean
  segmentBytes?: number
  batchSize?: number
  /** How long applied batches stay on disk, for a database that loses its newest transactions in a failover. */
  keepAppliedMs?: number
  /** Continues the journal of a dead process. */
  resume?: RecoveredProcess | undefined
}

interface Segment {
  path: string
  /** The last batch with a record in this segment, once it is full. */
  lastBatch: number | undefined
  /** When that batch was applied. */
  appliedAt: number | undefined
}

/** The segment that is written. */
interface CurrentSegment extends Segment {
  file: AppendFile
  /** The texts that its records name by number. */
  texts: TextTable
}

/** The local write-ahead file of settlements, kept until the database has them. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { directory, syncEach, segmentBytes = 4 * 1024 ** 2, batchSize = 2000, keepAppliedMs = 0, resume } = options
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const marker = join(directory, COMPLETE_MARKER)
  if (!resume) await writeFile(marker, '', { mode: 0o600 })
  await syncDirectory(dirname(directory))
  /** The last checkpoint of every open request. A new segment starts with them. */
  const openCheckpoints = new Map<string, Charge | Charge<ReceiptData>>(
    resume?.interrupted.map((charge) => [charge.base.requestId, charge]),
  )
  const held = resume?.held ?? new HeldCredit()
  let heartbeatAt = resume?.heartbeatAt
  let resumedBytes = resume?.bytes
  const unclosed: string[] = []
  const closedBatches: Batch[] = []
  const segments: Segment[] = (resume?.paths ?? []).map((path) => ({
    path,
    lastBatch: resume!.lastBatch,
    appliedAt: undefined,
  }))
  /** Texts go before the record that is the first to name them. */
  const added = new ByteWriter()
  const record = new ByteWriter()
  let lastApplied = resume?.lastBatch ?? 0
  let number = lastApplied + 1
  let pendingBytes = 0
  let pendingSettlements = 0
  let files = Math.max(0, ...segments.map(({ path }) => Number(SEGMENT_NAME.exec(basename(path))![1])))
  /** Of the segments before the current one. */
  let failedWrites = 0
  let segment: CurrentSegment
  let current: OpenBatch
  begin(await openFile())

  async function openFile(): Promise<CurrentSegment> {
    const texts = new TextTable((id, text) => records.writeText(added, id, text))
    const path = join(directory, `${String(++files).padStart(12, '0')}.journal`)
    const file = await openAppendFile(path, { syncEach, afterFailure: () => allTexts(texts), onFailure: spoil })
    await syncDirectory(directory)
    return { path, file, texts, lastBatch: undefined, appliedAt: undefined }
  }

  /** A charge may be missing from the journal, so no other process may spend the credit that the journal says is held. */
  function spoil(): void {
    try {
      rmSync(marker, { force: true })
    } catch {
      // On a read-only disk no other process can continue the journal.
    }
  }

  /** From here on everything goes to the new segment, starting with what is held and the open checkpoints. */
  function begin(next: CurrentSegment): void {
    segment = next
    segments.push(segment)
    current = emptyBatch(segment.texts)
    void write((writer) => records.writeSegment(writer, number))
    if (heartbeatAt !== undefined) writeHeartbeat(heartbeatAt)
    for (const { amount, ...account } of held.entries()) void writeHeld(account, amount)
    for (const charge of openCheckpoints.values()) writeCheckpoint(charge)
  }

  /** Appends one record and the texts that it is the first to name. */
  function write(writeRecord: (writer: ByteWriter) => void): Promise<void> {
    record.clear()
    added.clear()
    try {
      writeRecord(record)
    } finally {
      if (added.length > 0) void segment.file.append(added.view()) // also for a record that could not be written
    }
    return segment.file.append(record.view())
  }

  function writeCheckpoint(charge: Charge | Charge<ReceiptData>): void {
    void write((writer) => records.writeCheckpoint(writer, segment.texts, charge))
  }

  function writeHeartbeat(at: number): void {
    void write((writer) => records.writeHeartbeat(writer, at))
  }

  function writeHeld(account: AccountId, amount: number): Promise<void> {
    return write((writer) => records.writeHeld(writer, account, amount))
  }

  /**
   * Ends the current batch. Its record is queued at once, so it stands between its settlements and the following ones.
   */
  function closeBatch(): void {
    const closed = current
    const cut = write((writer) => records.writeCut(writer, number))
    const written = Promise.all([...closed.writes, cut]).then(() => {})
    written.catch(() => {}) // handled when the batch is applied
    closedBatches.push({
      number,
      size: closed.size,
      settlements: () => ({ [Symbol.iterator]: () => buildSettlements(closed) }),
      checkpointed: closed.checkpointed,
      bytes: closed.bytes,
      written,
    })
    number++
    current = emptyBatch(segment.texts)
  }

  /**
   * These requests are settled in the database although the disk has only a checkpoint, which must not be billed too.
   */
  function closeCheckpoints(requestIds: readonly string[]): void {
    const last = requestIds.map((requestId) => write((writer) => records.writeRelease(writer, requestId))).at(-1)
    last?.catch(() => unclosed.push(...requestIds)) // until there is space
  }

  let rotating: Promise<void> | undefined
  function rotateIfFull(): void {
    if (segment.file.bytes >= segmentBytes) rotating ??= rotate().finally(() => (rotating = undefined))
  }

  async function rotate(): Promise<void> {
    const next = await openFile().catch(() => undefined)
    if (!next) {
      await removeApplied(0) // there is no space for another file: continue with the old one
      return
    }
    if (current.size > 0) closeBatch() // a batch never spans two files
    const full = segment
    failedWrites += full.file.failedWrites
    full.lastBatch = number - 1
    begin(next)
    await full.file.close()
    await removeApplied()
  }

  async function removeApplied(keepMs = keepAppliedMs): Promise<void> {
    if (resumedBytes !== undefined) return // the database may lack the oldest batches
    const now = performance.now()
    for (const full of segments) {
      if (full.lastBatch !== undefined && full.lastBatch <= lastApplied) full.appliedAt ??= now
    }
    while (segments[0]?.appliedAt !== undefined && now - segments[0].appliedAt >= keepMs) {
      await rm(segments.shift()!.path, { force: true }).catch(() => {}) // as below
    }
  }

  return {
    append(charge) {
      const { requestId } = charge.base
      const written = write((writer) => {
        records.writeChargeRecord(writer, number, segment.texts, charge)
      })
      current.charges.append(record.view())
      held.spend(charge)
      if (openCheckpoints.delete(requestId)) current.checkpointed.push(requestId)
      if (current.writes.at(-1) !== written) current.writes.push(written)
      current.size++
      current.bytes += record.length + added.length
      pendingBytes += record.length + added.length
      pendingSettlements++
      if (current.size >= batchSize) closeBatch()
      rotateIfFull()
      return written
    },
    checkpoint(charge) {
      openCheckpoints.set(charge.base.requestId, charge)
      writeCheckpoint(charge) // the next one, or the settlement itself, reports a failure
    },
    release(requestId) {
      if (openCheckpoints.delete(requestId)) void write((writer) => records.writeRelease(writer, requestId))
    },
    async nextBatch() {
      if (closedBatches.length === 0 && current.size > 0) closeBatch()
      return closedBatches[0]
    },
    async markApplied(batch) {
      closedBatches.splice(closedBatches.indexOf(batch), 1)
      pendingBytes -= batch.bytes
      pendingSettlements -= batch.size
      lastApplied = batch.number
      batch.written.catch(async () => {
        closeCheckpoints(batch.checkpointed)
        await removeApplied(0) // the disk may be full
      })
      closeCheckpoints(unclosed.splice(0))
      rotateIfFull()
      await removeApplied()
    },
    get lastApplied() {
      return lastApplied
    },
    async *readApplied(after) {
      for await (const batch of readWrittenBatches(directory, after)) if (batch.number <= lastApplied) yield batch
    },
    changeHeld(account, change) {
      const amount = Math.max(0, held.of(account) + change)
      held.set(account, amount)
      return writeHeld(account, amount)
    },
    clearHeld(account) {
      if (account) {
        held.set(account, 0)
        return writeHeld(account, 0)
      }
      held.clear()
      return write((writer) => records.writeNothingHeld(writer))
    },
    held,
    heartbeat(at) {
      heartbeatAt = at
      writeHeartbeat(at)
    },
    get isResuming() {
      return resumedBytes !== undefined
    },
    markResumed() {
      resumedBytes = undefined
    },
    get pendingBytes() {
      return pendingBytes + (resumedBytes ?? 0)
    },
    get pendingSettlements() {
      return pendingSettlements
    },
    get disk() {
      const { file } = segment
      return {
        isFailing: file.isFailing,
        failedWrites: failedWrites + file.failedWrites,
        freeBytes: freeBytesOf(directory),
      }
    },
    async close() {
      await rotating
      await segment.file.close()
      if (pendingSettlements > 0 || openCheckpoints.size > 0 || resumedBytes !== undefined) return
      // What stays on a read-only disk is already settled: a replay settles nothing again.
      await rm(directory, { recursive: true, force: true }).catch(() => {})
    },
  }
}

/** After a power failure, a file is lost if its directory entry was not synced. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function freeBytesOf(directory: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize
  } catch {
    return undefined
  }
}

/** A batch that still grows. Its charges stay bytes, because objects would burden the garbage collector. */
interface OpenBatch {
  readonly texts: TextTable
  readonly charges: ByteWriter
  readonly checkpointed: string[]
  readonly writes: Promise<void>[]
  size: number
  /** With the texts that its charges were the first to name. */
  bytes: number
}

function emptyBatch(texts: TextTable): OpenBatch {
  return { texts, charges: new ByteWriter(), checkpointed: [], writes: [], size: 0, bytes: 0 }
}

/** A failed write may have lost any of the texts that later records name. */
function allTexts(texts: TextTable): Uint8Array {
  const writer = new ByteWriter()
  for (const [id, text] of texts.entries()) records.writeText(writer, id, text)
  return writer.view()
}

function* buildSettlements({ charges, texts }: OpenBatch): Generator<SettlementRecord, void, void> {
  for (const payload of readFrames(charges.view())) yield buildSettlement(records.readChargeRecord(payload, texts))
}
