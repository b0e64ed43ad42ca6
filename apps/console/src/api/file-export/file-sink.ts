import { BYTE_ORDER_MARK, saveCsv, saveText } from '../../lib/save-file.ts'

/** The ending of the file. Only tables begin with a byte order mark. */
export type FileKind = 'csv' | 'jsonl'

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
export async function openSink(
  name: string,
  { kind, isLarge }: { kind: FileKind; isLarge: boolean },
): Promise<FileSink> {
  const disk = window as unknown as DiskAccess
  if (!isLarge || !disk.showSaveFilePicker) return memorySink(name, kind)
  const handle = await disk.showSaveFilePicker({ suggestedName: name })
  const file = await handle.createWritable()
  if (kind === 'csv') await file.write(BYTE_ORDER_MARK)
  return {
    write: (piece) => file.write(piece),
    finish: () => file.close(),
    discard: () => file.abort(),
  }
}

function memorySink(name: string, kind: FileKind): FileSink {
  let pieces: Uint8Array<ArrayBuffer>[] = []
  return {
    async write(piece) {
      pieces.push(piece)
    },
    async finish() {
      if (kind === 'csv') saveCsv(name, ...pieces)
      else saveText(name, ...pieces)
      pieces = []
    },
    async discard() {
      pieces = []
    },
  }
}
