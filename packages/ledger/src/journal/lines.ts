import { crc32 } from 'node:zlib'
import type { SettlementRecord } from '../settlement/settlement.ts'

/** One line of a journal of the release before, which had JSON text. Only read: this release writes frames. */
export type Line =
  | { kind: 'segment'; batch: number }
  | { kind: 'booking'; batch: number; booking: SettlementRecord }
  | { kind: 'checkpoint'; booking: SettlementRecord }
  | { kind: 'release'; requestId: string }
  | { kind: 'cut'; batch: number }

/** Checksum, space, JSON. Undefined for a truncated or damaged line. */
export function decodeLine(text: string): Line | undefined {
  const body = text.slice(9)
  if (text[8] !== ' ' || checksum(body) !== text.slice(0, 8)) return undefined
  return JSON.parse(body) as Line
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}
