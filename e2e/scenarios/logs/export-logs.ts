import { api } from '@tidegate/contract'
import type { ApiClient } from '@tidegate/testing'
import type { ServerMemory } from '../streams/server-memory.ts'

export interface ExportResult {
  rows: number
  firstByteMs: number
  seconds: number
  /** Growth of live memory between the first tenth and the end. A buffered response would show here. */
  grownMegabytes: number
}

/** Reads the export of all logs until it has this many rows. */
export async function exportLogs(client: ApiClient, memory: ServerMemory, rows: number): Promise<ExportResult> {
  const startedAt = performance.now()
  const response = await client.open(api.exportLogs)
  let firstByteMs: number | undefined
  let lines = 0
  const living: number[] = []
  const samples = [rows * 0.1, rows * 0.9]
  for await (const chunk of response.body!) {
    firstByteMs ??= performance.now() - startedAt
    for (let at = chunk.indexOf(NEW_LINE); at >= 0; at = chunk.indexOf(NEW_LINE, at + 1)) lines += 1
    if (lines >= (samples[living.length] ?? Infinity)) {
      const { heap, buffers } = await memory.measure()
      living.push((heap + buffers) / 1024 ** 2)
    }
    if (lines > rows) break
  }
  return {
    rows: Math.min(lines - 1, rows),
    firstByteMs: firstByteMs ?? NaN,
    seconds: (performance.now() - startedAt) / 1000,
    grownMegabytes: living[1]! - living[0]!,
  }
}

const NEW_LINE = 10
