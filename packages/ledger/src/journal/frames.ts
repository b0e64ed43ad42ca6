import { crc32 } from 'node:zlib'
import type { ByteWriter } from './bytes.ts'

/** No UTF-8 text contains these bytes, so no text of a client looks like the start of a frame. */
const MAGIC = [0xff, 0xfe] as const
/** Magic, length of the payload, checksum of the payload. */
const HEADER_SIZE = 10

/** Whether a journal file has frames. Files of the previous release have lines of text. */
export function hasFrames(file: Buffer): boolean {
  return file[0] === MAGIC[0]
}

/** Writes one frame; `write` writes its payload. */
export function writeFrame(writer: ByteWriter, write: () => void): void {
  const start = writer.skip(HEADER_SIZE)
  write()
  const bytes = writer.view()
  const payload = bytes.subarray(start + HEADER_SIZE)
  bytes[start] = MAGIC[0]
  bytes[start + 1] = MAGIC[1]
  bytes.writeUInt32LE(payload.length, start + 2)
  bytes.writeUInt32LE(crc32(payload), start + 6)
}

/**
 * The payloads of a file. Bytes that are not a frame are skipped up to the next frame: a crash or a full disk truncates
 * a frame, and what is written afterwards stays readable.
 */
export function* readFrames(file: Buffer, onDamaged?: () => void): Generator<Buffer, void, void> {
  let position = 0
  let isDamaged = false
  while (position < file.length) {
    const payload = payloadAt(file, position)
    if (payload) {
      yield payload
      position += HEADER_SIZE + payload.length
      isDamaged = false
      continue
    }
    if (!isDamaged) onDamaged?.()
    isDamaged = true
    const next = file.indexOf(MAGIC[0], position + 1)
    position = next === -1 ? file.length : next
  }
}

function payloadAt(file: Buffer, start: number): Buffer | undefined {
  const from = start + HEADER_SIZE
  if (from > file.length || file[start] !== MAGIC[0] || file[start + 1] !== MAGIC[1]) return undefined
  const to = from + file.readUInt32LE(start + 2)
  if (to > file.length) return undefined
  const payload = file.subarray(from, to)
  return crc32(payload) === file.readUInt32LE(start + 6) ? payload : undefined
}
