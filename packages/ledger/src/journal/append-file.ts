import { writeSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'

type Handle = Pick<FileHandle, 'write' | 'datasync' | 'close'> & Partial<Pick<FileHandle, 'fd'>>

export interface AppendFile {
  readonly path: string
  readonly bytes: number
  /** Resolves when the text was passed to the kernel, or is on disk if every write is synced. */
  append(text: string): Promise<void>
  /** Writes and syncs the rest. */
  close(): Promise<void>
}

interface QueuedWrite {
  text: string
  resolve(): void
  reject(error: unknown): void
}

/** Longest time between a write and its sync: what a power failure can lose. */
const SYNC_INTERVAL_MS = 10

/**
 * An append-only file. Lines of one event loop turn are written together and synchronously: that is a copy into memory,
 * and faster than a thread. During a sync, a write may wait for the disk, so a thread does it, and lines that arrive
 * meanwhile are written together afterwards.
 */
export async function openAppendFile(
  path: string,
  { syncEach, handle: existing }: { syncEach: boolean; handle?: Handle },
): Promise<AppendFile> {
  const handle = existing ?? (await open(path, 'a', 0o600))
  /** A write failed, perhaps within a line: the next write starts a new line. */
  let torn = false
  let queue: QueuedWrite[] = []
  let writing: Promise<void> | undefined
  let flushing: NodeJS.Immediate | undefined
  let syncing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let bytes = 0

  async function writeAll(): Promise<void> {
    while (queue.length > 0) {
      const batch = takeQueue()
      try {
        await writeFully(handle, batch.data)
        if (syncEach) await handle.datasync()
        resolveLines(batch)
      } catch (error) {
        rejectLines(batch, error)
      }
    }
    writing = undefined
  }

  function writeAtOnce(fd: number): void {
    flushing = undefined
    if (syncing) {
      writing ??= writeAll()
      return
    }
    const batch = takeQueue()
    try {
      for (let from = 0; from < batch.data.length;) from += writeSync(fd, batch.data, from)
      resolveLines(batch)
    } catch (error) {
      rejectLines(batch, error)
    }
  }

  function takeQueue() {
    const waiting = queue
    queue = []
    let text = torn ? '\n' : ''
    for (const line of waiting) text += line.text
    return { waiting, data: Buffer.from(text) }
  }

  function resolveLines({ waiting }: ReturnType<typeof takeQueue>): void {
    torn = false
    if (!syncEach) syncSoon()
    for (const { resolve } of waiting) resolve()
  }

  function rejectLines({ waiting }: ReturnType<typeof takeQueue>, error: unknown): void {
    torn = true
    for (const line of waiting) line.reject(error)
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

  return {
    path,
    get bytes() {
      return bytes
    },
    append(text) {
      bytes += Buffer.byteLength(text)
      return new Promise((resolve, reject) => {
        queue.push({ text, resolve, reject })
        if (writing || flushing) return
        const { fd } = handle
        if (fd === undefined || syncEach || syncing) writing = writeAll()
        else flushing = setImmediate(writeAtOnce, fd)
      })
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
