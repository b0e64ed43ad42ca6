import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { csvText, csvValue } from '@tidegate/contract'

export type ExportFormat = 'json' | 'csv'
export type ExportRow = Readonly<Record<string, unknown>>

/** Streams rows to a file that only its owner can read. Returns the number of rows. */
export async function writeRows(path: string, format: ExportFormat, rows: AsyncIterable<ExportRow>): Promise<number> {
  let written = 0
  async function* chunks(): AsyncGenerator<string> {
    if (format === 'json') yield '['
    for await (const row of rows) {
      if (format === 'json') yield `${written === 0 ? '' : ','}\n${JSON.stringify(row)}`
      else yield written === 0 ? csvLine(Object.keys(row)) + csvLine(Object.values(row)) : csvLine(Object.values(row))
      written += 1
    }
    if (format === 'json') yield '\n]\n'
  }
  await pipeline(Readable.from(chunks()), createWriteStream(path, { mode: 0o600, flags: 'wx' }))
  return written
}

function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' ? csvText(value) : csvValue(JSON.stringify(value))
}
