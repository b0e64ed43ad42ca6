import { BYTE_ORDER_MARK, saveCsv } from '../../../lib/save-file.ts'

/** Where a file goes while it is being received. */
export interface FileSink {
  write(piece: Uint8Array<ArrayBuffer>): Promise<void>
  /** The file is whole. */
  finish(): Promise<void>
  /** Leaves nothing behind. */
  discard(): Promise<void>
}

/** Not in every browser, and not on a page without https. */
interface DiskAccess {
  showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle>
}

/**
 * A large file is written to disk as it comes, where the browser can do that: the person says where first. Otherwise it
 * is held until it is whole. Throws an AbortError when the person would not say.
 */
export async function openSink(name: string, isLarge: boolean): Promise<FileSink> {
  const disk = window as unknown as DiskAccess
  if (!isLarge || !disk.showSaveFilePicker) return memorySink(name)
  const handle = await disk.showSaveFilePicker({ suggestedName: name })
  const file = await handle.createWritable()
  await file.write(BYTE_ORDER_MARK)
  return {
    write: (piece) => file.write(piece),
    finish: () => file.close(),
    discard: () => file.abort(),
  }
}

function memorySink(name: string): FileSink {
  let pieces: Uint8Array<ArrayBuffer>[] = []
  return {
    async write(piece) {
      pieces.push(piece)
    },
    async finish() {
      saveCsv(name, ...pieces)
      pieces = []
    },
    async discard() {
      pieces = []
    },
  }
}
