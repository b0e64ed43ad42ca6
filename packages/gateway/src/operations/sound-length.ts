import { Readable } from 'node:stream'
import { parseStream } from 'music-metadata'
import type { FormPart } from '../http/form-body.ts'

type File = Extract<FormPart, { file: string }>

/** Of speech as it is mostly recorded, where a file does not tell. */
const BYTES_PER_SECOND = 4_000

/** How long a recording plays, in seconds, read from the file itself. */
export async function soundLength({ file, type, chunks, bytes }: File): Promise<number> {
  const stream = Readable.from(chunks, { objectMode: false })
  try {
    const { format } = await parseStream(stream, { mimeType: type, path: file, size: bytes }, { duration: true })
    if (format.duration !== undefined && format.duration > 0) return format.duration
  } catch {
    // Not a recording that we know: its vendor may.
  } finally {
    stream.destroy()
  }
  return bytes / BYTES_PER_SECOND
}
