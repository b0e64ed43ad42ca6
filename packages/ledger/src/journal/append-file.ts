import { open, type FileHandle } from 'node:fs/promises'

type Handle = Pick<FileHandle, 'write' | 'datasync' | 'close'>

export interface AppendFile {
  readonly path: string
  readonly bytes: number
  /** Resolves when the text has been handed to the system, or is on the disk when every write is to be synced. */
  append(text: string): Promise<void>
  /** Writes and syncs what is left. */
  close(): Promise<void>
}

interface Waiting {
  text: string
  done(): void
  failed(error: unknown): void
}

/** Longest time between a write and its sync: what a power cut can lose. */
const SYNC_WITHIN_MS = 10

/** A file that only grows. Whatever arrives while a write is under way goes into the next one together. */
export async function openAppendFile(
  path: string,
  { syncEach, handle: given }: { syncEach: boolean; handle?: Handle },
): Promise<AppendFile> {
  const handle = given ?? (await open(path, 'a', 0o600))
  /** A write failed, perhaps in the middle of a line: what follows begins on a line of its own. */
  let torn = false
  let queue: Waiting[] = []
  let writing: Promise<void> | undefined
  let syncing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let bytes = 0

  async function writeAll(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue
      queue = []
      try {
        await writeWhole(handle, Buffer.from((torn ? '\n' : '') + batch.map(({ text }) => text).join('')))
        torn = false
        if (syncEach) await handle.datasync()
        else syncSoon()
        for (const { done } of batch) done()
      } catch (error) {
        torn = true
        for (const { failed } of batch) failed(error)
      }
    }
    writing = undefined
  }

  function syncSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      // A disk slower than the interval gets one sync at a time, not a queue of them.
      syncing ??= handle
        .datasync()
        .catch(() => {}) // a failing disk shows in the next write
        .finally(() => (syncing = undefined))
    }, SYNC_WITHIN_MS)
  }

  return {
    path,
    get bytes() {
      return bytes
    },
    append(text) {
      bytes += Buffer.byteLength(text)
      return new Promise((done, failed) => {
        queue.push({ text, done, failed })
        writing ??= writeAll()
      })
    },
    async close() {
      await writing
      clearTimeout(timer)
      await syncing
      await handle.datasync().catch(() => {})
      await handle.close()
    },
  }
}

async function writeWhole(handle: Handle, data: Buffer): Promise<void> {
  for (let written = 0; written < data.length;) {
    const { bytesWritten } = await handle.write(data, written)
    written += bytesWritten
  }
}
