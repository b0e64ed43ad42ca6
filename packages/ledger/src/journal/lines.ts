import { crc32 } from 'node:zlib'
import type { SettlementRecord } from '../settlement/settlement.ts'

/** One line of a journal. */
export type Line =
  /** The batch number of the following lines; the first line of every segment. */
  | { kind: 'segment'; batch: number }
  /** A finished request. It carries its batch number, because the `cut` line may be missing after a full disk. */
  | { kind: 'booking'; batch: number; booking: SettlementRecord }
  /** A request that is still streaming, as it would be billed if the process crashed now. */
  | { kind: 'checkpoint'; booking: SettlementRecord }
  /** A request with a checkpoint is not billed after all. */
  | { kind: 'release'; requestId: string }
  /** The batch is closed. */
  | { kind: 'cut'; batch: number }

/** Checksum, space, JSON, newline: a truncated line is not valid. */
export function encodeLine(line: Line): string {
  return withChecksum(JSON.stringify(line))
}

/** The line of a settlement that is already JSON. */
export function encodeSettlement(batch: number, settlement: string): string {
  return withChecksum(`{"kind":"booking","batch":${batch},"booking":${settlement}}`)
}

function withChecksum(text: string): string {
  return `${checksum(text)} ${text}\n`
}

/** Undefined for a truncated or damaged line. */
export function decodeLine(text: string): Line | undefined {
  const body = text.slice(9)
  if (text[8] !== ' ' || checksum(body) !== text.slice(0, 8)) return undefined
  return JSON.parse(body) as Line
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}
