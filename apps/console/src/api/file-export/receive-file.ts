import type { FileSink } from './file-sink.ts'

/** Writes a file from the server to the sink and reports the progress. Discards the file on failure. */
export async function receiveFile(
  open: () => Promise<ReadableStream<Uint8Array>>,
  sink: FileSink,
  onProgress: (bytes: number) => void,
): Promise<number> {
  let bytes = 0
  try {
    const reader = (await open()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      await sink.write(value as Uint8Array<ArrayBuffer>)
      bytes += value.byteLength
      onProgress(bytes)
    }
    await sink.finish()
    return bytes
  } catch (error) {
    await sink.discard()
    throw error
  }
}

/** `812 KB`, `12.3 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
