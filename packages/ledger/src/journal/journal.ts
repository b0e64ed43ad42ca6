import { mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type SettlementRecord, toPendingSettlement, type PendingSettlement } from '../settlement/settlement.ts'
import { openAppendFile, type AppendFile } from './append-file.ts'
import { encodeSettlement, encodeLine } from './lines.ts'

/** Settlements that are applied together, under a number that makes them count once. */
export interface Batch {
  readonly number: number
  readonly settlements: readonly PendingSettlement[]
  /** Request ids that had a checkpoint. */
  readonly checkpointed: readonly string[]
  readonly bytes: number
  /** Rejects if the batch could not be written to disk; its settlements can still reach the database. */
  readonly written: Promise<void>
}

export interface Journal {
  /** Resolves when the settlement survives a crash of this process. */
  append(settlement: SettlementRecord): Promise<void>
  /** Records how an open request would be billed if the process crashed now. */
  checkpoint(settlement: SettlementRecord): void
  /** The request is not billed: its checkpoints are void. */
  release(requestId: string): void
  /** Returns the oldest batch that is not applied; closes the current one if there is no other. */
  nextBatch(): Promise<Batch | undefined>
  /** The batch is in the database: removes what only it needed. */
  markApplied(batch: Batch): Promise<void>
  /** Bytes of settlements that are not in the database yet. */
  readonly pendingBytes: number
  readonly pendingSettlements: number
  /** Closes the file. Removes the directory if nothing is left to apply. */
  close(): Promise<void>
}

interface JournalOptions {
  directory: string
  /** Every settlement waits for the disk, so that a power failure loses nothing either. */
  syncEach: boolean
  segmentBytes?: number
  batchSize?: number
}

interface Segment {
  file: AppendFile
  /** The last batch with a line in this segment, once it is full. */
  lastBatch: number | undefined
}

/** The local write-ahead file of settlements, kept until the database has them. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { directory, syncEach, segmentBytes = 4 * 1024 ** 2, batchSize = 2000 } = options
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await syncDirectory(dirname(directory))
  /** Checkpoints of open requests; they are copied when a new segment starts. */
  const openCheckpoints = new Map<string, string>()
  const unclosed: string[] = []
  const closedBatches: Batch[] = []
  const segments: Segment[] = []
  let number = 1
  let lastApplied = 0
  let current = emptyBatch()
  let pendingBytes = 0
  let pendingSettlements = 0
  let files = 0
  let segment: Segment
  begin(await openFile())

  async function openFile(): Promise<AppendFile> {
    const file = await openAppendFile(join(directory, `${String(++files).padStart(12, '0')}.journal`), { syncEach })
    await syncDirectory(directory)
    return file
  }

  /** From here on everything goes to the new file, starting with the open checkpoints. */
  function begin(file: AppendFile): void {
    segment = { file, lastBatch: undefined }
    segments.push(segment)
    const carried = [...openCheckpoints.values()].join('')
    file.append(encodeLine({ kind: 'segment', batch: number }) + carried).catch(() => {}) // the next write reports it
  }

  /**
   * Ends the current batch. Its line is queued at once, so it stands between its settlements and the following ones.
   */
  function closeBatch(): void {
    const line = segment.file.append(encodeLine({ kind: 'cut', batch: number }))
    const written = Promise.all([...current.writes, line]).then(() => {})
    written.catch(() => {}) // handled when the batch is applied
    closedBatches.push({
      number,
      settlements: current.settlements,
      checkpointed: current.checkpointed,
      bytes: current.bytes,
      written,
    })
    number++
    current = emptyBatch()
  }

  /**
   * These requests are settled in the database although the disk has only a checkpoint, which must not be billed too.
   */
  function closeCheckpoints(requestIds: readonly string[]): void {
    if (requestIds.length === 0) return
    const lines = requestIds.map((requestId) => encodeLine({ kind: 'release', requestId }))
    segment.file.append(lines.join('')).catch(() => unclosed.push(...requestIds)) // until there is space
  }

  let rotating: Promise<void> | undefined
  function rotateIfFull(): void {
    if (segment.file.bytes >= segmentBytes) rotating ??= rotate().finally(() => (rotating = undefined))
  }

  async function rotate(): Promise<void> {
    const next = await openFile().catch(() => undefined)
    if (!next) return // no space for another file: continue with the old one
    if (current.settlements.length > 0) closeBatch() // a batch never spans two files
    const full = segment
    full.lastBatch = number - 1
    begin(next)
    await full.file.close()
    await removeApplied()
  }

  async function removeApplied(): Promise<void> {
    while (segments[0]?.lastBatch !== undefined && segments[0].lastBatch <= lastApplied) {
      await rm(segments.shift()!.file.path, { force: true }).catch(() => {}) // as below
    }
  }

  return {
    append(settlement) {
      const json = JSON.stringify(settlement)
      const text = encodeSettlement(number, json)
      if (openCheckpoints.delete(settlement.requestId)) current.checkpointed.push(settlement.requestId)
      const write = segment.file.append(text)
      write.catch(() => {}) // also awaited with its batch
      current.settlements.push(toPendingSettlement(settlement, json))
      current.writes.push(write)
      current.bytes += text.length
      pendingBytes += text.length
      pendingSettlements++
      if (current.settlements.length >= batchSize) closeBatch()
      rotateIfFull()
      return write
    },
    checkpoint(settlement) {
      const text = encodeLine({ kind: 'checkpoint', booking: settlement })
      openCheckpoints.set(settlement.requestId, text)
      segment.file.append(text).catch(() => {}) // the next one, or the settlement itself, reports it
    },
    release(requestId) {
      if (openCheckpoints.delete(requestId))
        segment.file.append(encodeLine({ kind: 'release', requestId })).catch(() => {})
    },
    async nextBatch() {
      if (closedBatches.length === 0 && current.settlements.length > 0) closeBatch()
      return closedBatches[0]
    },
    async markApplied(batch) {
      closedBatches.splice(closedBatches.indexOf(batch), 1)
      pendingBytes -= batch.bytes
      pendingSettlements -= batch.settlements.length
      lastApplied = batch.number
      batch.written.catch(() => closeCheckpoints(batch.checkpointed))
      closeCheckpoints(unclosed.splice(0))
      rotateIfFull()
      await removeApplied()
    },
    get pendingBytes() {
      return pendingBytes
    },
    get pendingSettlements() {
      return pendingSettlements
    },
    async close() {
      await rotating
      await segment.file.close()
      if (pendingSettlements > 0 || openCheckpoints.size > 0) return
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

function emptyBatch() {
  return {
    settlements: [] as PendingSettlement[],
    checkpointed: [] as string[],
    writes: [] as Promise<void>[],
    bytes: 0,
  }
}
