import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { ByteWriter } from '../src/journal/bytes.ts'
import { readFrames, writeFrame } from '../src/journal/frames.ts'
import type { Line } from '../src/journal/lines.ts'
import { readJournal, type InterruptedRequests, type RecoveredBatch } from '../src/journal/read-journal.ts'
import { readRecord, type JournalRecord } from '../src/journal/records.ts'
import { TextTable } from '../src/journal/text-table.ts'
import type { SettlementRecord } from '../src/settlement/settlement.ts'

/** All batches of a journal, and the number of its damaged records. */
export async function readWholeJournal(directory: string) {
  const batches: (RecoveredBatch | InterruptedRequests)[] = []
  const reading = readJournal(directory)
  for (;;) {
    const next = await reading.next()
    if (next.done) return { batches, damagedRecords: next.value }
    batches.push(next.value)
  }
}

/** Removes records from the only segment of a journal, as if they had never reached the disk. */
export async function removeRecords(directory: string, isLost: (record: JournalRecord) => boolean): Promise<void> {
  const segment = (await readdir(directory)).find((name) => name.endsWith('.journal'))
  const path = join(directory, segment!)
  const texts = new TextTable()
  const kept = new ByteWriter()
  for (const payload of readFrames(await readFile(path))) {
    if (!isLost(readRecord(payload, texts))) writeFrame(kept, () => kept.append(payload))
  }
  await writeFile(path, kept.view())
}

/** A journal of release 0.1, which has lines of a checksum and JSON. */
export async function writeJournalLines(directory: string, lines: readonly Line[]): Promise<void> {
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, '000000000001.journal'), lines.map(encodeLine).join(''))
}

/** A finished request, and one that was streaming when its process was killed. */
export function linesOf(finished: SettlementRecord, streaming: SettlementRecord): Line[] {
  return [
    { kind: 'segment', batch: 1 },
    { kind: 'booking', batch: 1, booking: finished },
    { kind: 'checkpoint', booking: streaming },
  ]
}

export function encodeLine(line: Line): string {
  const text = JSON.stringify(line)
  return `${crc32(text).toString(16).padStart(8, '0')} ${text}\n`
}
