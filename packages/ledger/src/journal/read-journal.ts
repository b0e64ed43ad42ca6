import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { markInterrupted, type SettlementRecord } from '../settlement/settlement.ts'
import { decodeLine, type Line } from './lines.ts'

export interface RecoveredBatch {
  number: number
  settlements: SettlementRecord[]
}

export interface RecoveredJournal {
  /** In order. The last batch contains open settlements and requests that were interrupted while streaming. */
  batches: RecoveredBatch[]
  /** Unreadable lines. One is normal: the write that the crash truncated. */
  damagedLines: number
}

const SEGMENT = /^\d+\.journal$/

/** Reads the journal of a dead process. Reading it again gives the same batches. */
export async function readJournal(directory: string): Promise<RecoveredJournal> {
  const batches: RecoveredBatch[] = []
  const openCheckpoints = new Map<string, SettlementRecord>()
  let tail: RecoveredBatch = { number: 1, settlements: [] }
  let damagedLines = 0

  function readLine(line: Line): void {
    switch (line.kind) {
      case 'segment':
        beginBatch(line.batch)
        break
      case 'checkpoint':
        openCheckpoints.set(line.booking.requestId, line.booking)
        break
      case 'release':
        openCheckpoints.delete(line.requestId)
        break
      case 'booking':
        openCheckpoints.delete(line.booking.requestId)
        beginBatch(line.batch)
        tail.settlements.push(line.booking)
        break
      case 'cut':
        beginBatch(line.batch + 1)
    }
  }

  function beginBatch(number: number): void {
    if (number === tail.number) return
    if (tail.settlements.length > 0) batches.push(tail)
    tail = { number, settlements: [] }
  }

  for (const name of (await readdir(directory)).filter((name) => SEGMENT.test(name)).toSorted()) {
    for await (const text of createInterface({ input: createReadStream(join(directory, name)), crlfDelay: 0 })) {
      const line = decodeLine(text)
      if (line) readLine(line)
      else damagedLines++
    }
  }
  tail.settlements.push(...[...openCheckpoints.values()].map(markInterrupted))
  if (tail.settlements.length > 0) batches.push(tail)
  return { batches, damagedLines }
}
