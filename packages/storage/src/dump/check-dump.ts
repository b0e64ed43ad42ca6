import { DumpError, type FrameReader } from './frames.ts'
import type { DumpFooter, DumpHeader } from './manifest.ts'
import { countLines } from './write-dump.ts'

/** Reads a dump to its end without a database, and throws a DumpError unless it is complete. Returns the rows by table. */
export async function checkDump(header: DumpHeader, reader: FrameReader): Promise<Record<string, number>> {
  const rows: Record<string, number> = {}
  for (const { name } of header.tables) {
    rows[name] = 0
    for await (const frame of reader.untilEnd()) rows[name] += countLines(frame)
  }
  const sum = reader.sum()
  checkFooter(rows, sum, (await reader.nextJson()) as DumpFooter)
  await reader.expectEnd()
  return rows
}

/** Throws unless rows and checksum are those that the dump ends with. */
export function checkFooter(rows: Record<string, number>, sum: string, footer: DumpFooter): void {
  const short = Object.keys(rows).filter((name) => rows[name] !== footer.rows[name])
  if (footer.sha256 === sum && short.length === 0) return
  throw new DumpError(`The backup is damaged: ${short.length > 0 ? `rows of ${short.join(', ')}` : 'its checksum'}`)
}
