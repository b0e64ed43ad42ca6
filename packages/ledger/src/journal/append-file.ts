import { writeSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { ByteWriter } from './bytes.ts'

type Handle = Pick<FileHandle, 'write' | 'datasync' | 'close'> & Partial<Pick<FileHandle, 'fd'>>

export interface AppendFile {
  readonly path: string
  readonly bytes: number
  /** Writes that failed. Their records are not on disk. */
  readonly failedWrites: number
  /** Whether the last write failed. */
  readonly isFailing: boolean
  /**
   * Copies the bytes. Resolves when they were passed to the kernel, or are on disk if every write is synced. Bytes that
   * are written together share one promise.
   */
  append(bytes: Uint8Array): Promise<void>
  /** Writes and syncs the rest. */
  close(): Promise<void>
}

interface AppendOptions {
  syncEach: boolean
  handle?: Handle
  /** What the next write begins with after a failed one, which later records may need. */
  afterFailure?: () => Uint8Array
  /** Called at once when a write failed. */
  onFailure?: (() => void) | undefined
}

/** Bytes that are written together. */
interface WriteGroup extends PromiseWithResolvers<void> {
  readonly writer: ByteWriter
}

/** Longest time between a write and its sync: what a power failure can lose. */
const SYNC_INTERVAL_MS = 10
/** One collects while the other is written. */
const MAX_SPARE_WRITERS = 2
const MAX_SPARE_BYTES = 256 * 1024

/**
 * An append-only file. Bytes of one event loop turn are written together and synchronously: that is a copy into memory,
 * and faster than a thread. During a sync, a write may wait for the disk, so a thread does it, and bytes that arrive
 * meanwhile are written together afterwards.
 */
export async function openAppendFile(
  path: string,
  { syncEach, handle: existing, afterFailure, onFailure }: AppendOptions,
): Promise<AppendFile> {
  const handle = existing ?? (await open(path, 'a', 0o600))
  let hasFailed = false
  let queue: WriteGroup | undefined
  /** Buffers of groups that were written. */
  const writers: ByteWriter[] = []
  let writing: Promise<void> | undefined
  let flushing: NodeJS.Immediate | undefined
  let syncing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let bytes = 0
  let failedWrites = 0

  async function writeAll(): Promise<void> {
    while (queue) {
      const group = takeQueue(queue)
      try {
        await writeFully(handle, repaired(group))
        if (syncEach) await handle.datasync()
        resolveGroup(group)
      } catch (error) {
        rejectGroup(group, error)
      }
    }
    writing = undefined
  }

  function writeAtOnce(fd: number): void {
    flushing = undefined
    if (!queue) return
    if (syncing) {
      writing ??= writeAll()
      return
    }
    const group = takeQueue(queue)
    try {
      const data = repaired(group)
      for (let from = 0; from < data.length;) from += writeSync(fd, data, from)
      resolveGroup(group)
    } catch (error) {
      rejectGroup(group, error)
    }
  }

  function takeQueue(group: WriteGroup): WriteGroup {
    queue = undefined
    return group
  }

  /** The failed write may have lost what the records of this one need. */
  function repaired({ writer }: WriteGroup): Buffer {
    return hasFailed && afterFailure ? Buffer.concat([afterFailure(), writer.view()]) : writer.view()
  }

  function resolveGroup(group: WriteGroup): void {
    hasFailed = false
    if (!syncEach) syncSoon()
    recycle(group)
    group.resolve()
  }

  function rejectGroup(group: WriteGroup, error: unknown): void {
    hasFailed = true
    failedWrites += 1
    onFailure?.()
    recycle(group)
    group.reject(error)
  }

  function recycle({ writer }: WriteGroup): void {
    if (writers.length === MAX_SPARE_WRITERS || writer.length > MAX_SPARE_BYTES) return
    writer.clear()
    writers.push(writer)
  }

  function syncSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      // A disk slower than the interval gets one sync at a time, not a queue.
      syncing ??= handle
        .datasync()
        .catch(() => {}) // a failing disk shows in the next write
        .finally(() => (syncing = undefined))
    }, SYNC_INTERVAL_MS)
  }

  function beginGroup(): WriteGroup {
    const group = { writer: writers.pop() ?? new ByteWriter(), ...Promise.withResolvers<void>() }
    group.promise.catch(() => {}) // a caller that does not wait learns of it from the next write
    if (writing || flushing) return group
    const { fd } = handle
    if (fd === undefined || syncEach || syncing) writing = Promise.resolve().then(writeAll)
    else flushing = setImmediate(writeAtOnce, fd)
    return group
  }

  return {
    path,
    get bytes() {
      return bytes
    },
    get failedWrites() {
      return failedWrites
    },
    get isFailing() {
      return hasFailed
    },
    append(added) {
      bytes += added.length
      const group = (queue ??= beginGroup())
      group.writer.append(added)
      return group.promise
    },
    async close() {
      clearImmediate(flushing)
      writing ??= writeAll()
      await writing
      clearTimeout(timer)
      await syncing
      await handle.datasync().catch(() => {})
      await handle.close()
    },
  }
}

async function writeFully(handle: Handle, data: Buffer): Promise<void> {
  for (let written = 0; written < data.length;) {
    const { bytesWritten } = await handle.write(data, written)
    written += bytesWritten
  }
}
