import { mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Booking, toPendingSettlement, type PendingSettlement } from '../settlement/settlement.ts'
import { openAppendFile, type AppendFile } from './append-file.ts'
import { encodeSettlement, encodeLine } from './lines.ts'

/** Bookings that go to the database together, under a number that makes them count once. */
export interface Batch {
  readonly number: number
  readonly settlements: readonly PendingSettlement[]
  /** Those of them that had a checkpoint. */
  readonly checkpointed: readonly string[]
  readonly bytes: number
  /** Rejects when the batch could not be written here; its bookings can still reach the database. */
  readonly written: Promise<void>
}

export interface Journal {
  /** Resolves when the booking survives the death of this process. */
  append(booking: Booking): Promise<void>
  /** Notes how an open call would be billed if the process died now. */
  checkpoint(booking: Booking): void
  /** The call comes to nothing: no checkpoint of it counts any more. */
  release(requestId: string): void
  /** Takes the oldest batch that waits to be applied; closes the current one when it is all there is. */
  nextBatch(): Promise<Batch | undefined>
  /** The batch is in the database: what only it needed is removed. */
  applied(batch: Batch): Promise<void>
  /** Bytes of bookings that the database does not have yet. */
  readonly pendingBytes: number
  readonly pendingSettlements: number
  /** Closes the file. With nothing left to apply, the directory goes. */
  close(): Promise<void>
}

interface JournalOptions {
  directory: string
  /** Every booking waits for the disk, so that a power cut loses nothing either. */
  syncEach: boolean
  segmentBytes?: number
  batchSize?: number
}

interface Segment {
  file: AppendFile
  /** The last batch with a line in it, once it is full. */
  lastBatch: number | undefined
}

/** The local record of what was answered, kept until the database has it. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { directory, syncEach, segmentBytes = 4 * 1024 ** 2, batchSize = 2000 } = options
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await syncDirectory(dirname(directory))
  /** Open calls with a checkpoint; they move along when a segment ends. */
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

  /** From this line on everything goes to the new file, first of all what open calls have come to. */
  function begin(file: AppendFile): void {
    segment = { file, lastBatch: undefined }
    segments.push(segment)
    const carried = [...openCheckpoints.values()].join('')
    file.append(encodeLine({ kind: 'segment', batch: number }) + carried).catch(() => {}) // the next write will say
  }

  /** Ends the current batch. The line is queued at once, so it stands between its bookings and those that follow. */
  function closeBatch(): void {
    const line = segment.file.append(encodeLine({ kind: 'cut', batch: number }))
    const written = Promise.all([...current.writes, line]).then(() => {})
    written.catch(() => {}) // looked at by whoever applies it
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

  /** Calls the database knows although their bookings could not be written: their checkpoints must not be billed too. */
  function closeCheckpoints(requestIds: readonly string[]): void {
    if (requestIds.length === 0) return
    const lines = requestIds.map((requestId) => encodeLine({ kind: 'release', requestId }))
    segment.file.append(lines.join('')).catch(() => unclosed.push(...requestIds)) // until there is room
  }

  let rotating: Promise<void> | undefined
  function rotateIfFull(): void {
    if (segment.file.bytes >= segmentBytes) rotating ??= rotate().finally(() => (rotating = undefined))
  }

  async function rotate(): Promise<void> {
    const next = await openFile().catch(() => undefined)
    if (!next) return // no room for another file: the old one goes on
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
    append(booking) {
      const json = JSON.stringify(booking)
      const text = encodeSettlement(number, json)
      if (openCheckpoints.delete(booking.requestId)) current.checkpointed.push(booking.requestId)
      const write = segment.file.append(text)
      write.catch(() => {}) // also awaited with its batch
      current.settlements.push(toPendingSettlement(booking, json))
      current.writes.push(write)
      current.bytes += text.length
      pendingBytes += text.length
      pendingSettlements++
      if (current.settlements.length >= batchSize) closeBatch()
      rotateIfFull()
      return write
    },
    checkpoint(booking) {
      const text = encodeLine({ kind: 'checkpoint', booking })
      openCheckpoints.set(booking.requestId, text)
      segment.file.append(text).catch(() => {}) // the next one, or the booking itself, will say
    },
    release(requestId) {
      if (openCheckpoints.delete(requestId))
        segment.file.append(encodeLine({ kind: 'release', requestId })).catch(() => {})
    },
    async nextBatch() {
      if (closedBatches.length === 0 && current.settlements.length > 0) closeBatch()
      return closedBatches[0]
    },
    async applied(batch) {
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
      // What a disk that became read-only keeps is known to the database: whoever finds it books nothing of it again.
      await rm(directory, { recursive: true, force: true }).catch(() => {})
    },
  }
}

/** A file that is on the disk is of no use after a power cut when its name is not. */
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
