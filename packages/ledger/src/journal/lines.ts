import { crc32 } from 'node:zlib'
import type { Booking } from '../settlement/settlement.ts'

/** One line of a journal. */
export type Line =
  /** The number of the batch that the lines after it belong to; the first line of every segment. */
  | { kind: 'segment'; batch: number }
  /** A call that is over. It says its batch itself: on a disk that was full for a moment, a cut may be missing. */
  | { kind: 'booking'; batch: number; booking: Booking }
  /** A call that is still streaming, as it would be billed if the process died now. */
  | { kind: 'checkpoint'; booking: Booking }
  /** A call with a checkpoint came to nothing after all. */
  | { kind: 'release'; requestId: string }
  /** Nothing more comes into this batch. */
  | { kind: 'cut'; batch: number }

/** Checksum, space, JSON, newline: a line that was not written whole does not read as one. */
export function encodeLine(line: Line): string {
  return withChecksum(JSON.stringify(line))
}

/** The line of a booking that is JSON already. */
export function encodeSettlement(batch: number, booking: string): string {
  return withChecksum(`{"kind":"booking","batch":${batch},"booking":${booking}}`)
}

function withChecksum(text: string): string {
  return `${checksum(text)} ${text}\n`
}

/** Undefined for a line that is torn or damaged. */
export function decodeLine(text: string): Line | undefined {
  const body = text.slice(9)
  if (text[8] !== ' ' || checksum(body) !== text.slice(0, 8)) return undefined
  return JSON.parse(body) as Line
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}
