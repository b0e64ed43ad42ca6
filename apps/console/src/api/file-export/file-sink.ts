import { BYTE_ORDER_MARK, saveCsv, saveText } from '../../lib/save-file.ts'

/** The file extension. Only CSV files start with a byte order mark. */
export type FileKind = 'csv' | 'jsonl'

/** Receives the chunks of a downloaded file. */
export interface FileSink {
  write(chunk: Uint8Array<ArrayBuffer>): Promise<void>
  /** Called after the last chunk. */
  finish(): Promise<void>
  /** Removes an incomplete file. */
  discard(): Promise<void>
}

/** Not available in all browsers, and only with HTTPS. */
interface DiskAccess {
  showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle>
}

/**
 * Streams a large file to a location that the user selects, if the browser supports it. Otherwise collects the file in
 * memory. Throws an `AbortError` if the user closes the file picker.
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
    write: (chunk) => file.write(chunk),
    finish: () => file.close(),
    discard: () => file.abort(),
  }
}

function memorySink(name: string, kind: FileKind): FileSink {
  let chunks: Uint8Array<ArrayBuffer>[] = []
  return {
    async write(chunk) {
      chunks.push(chunk)
    },
    async finish() {
      if (kind === 'csv') saveCsv(name, ...chunks)
      else saveText(name, ...chunks)
      chunks = []
    },
    async discard() {
      chunks = []
    },
  }
}
