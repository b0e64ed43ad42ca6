import { readFile } from 'node:fs/promises'
import { api } from '@tidegate/contract'
import type { ApiClient, RunningServer } from '@tidegate/testing'

export interface ExportFound {
  rows: number
  firstByteMs: number
  seconds: number
  /** What the server took more than before it began: the room its garbage takes is part of it. */
  peakMegabytes: number
  /** How much its peak grew after the first tenth of the rows: an answer that is held in memory would show here. */
  grownMegabytes: number
}

/** Reads the export of everything until it has so many rows. */
export async function takeExport(client: ApiClient, server: RunningServer, rows: number): Promise<ExportFound> {
  const before = await residentMegabytes(server.pid)
  const startedAt = performance.now()
  const response = await client.open(api.exportLogs)
  let firstByteMs: number | undefined
  let lines = 0
  let chunks = 0
  let peak = before
  let peakOfFirstTenth = before
  for await (const chunk of response.body!) {
    firstByteMs ??= performance.now() - startedAt
    for (const byte of chunk) if (byte === 10) lines += 1
    chunks += 1
    if (chunks % 20 === 0) peak = Math.max(peak, await residentMegabytes(server.pid))
    if (lines < rows / 10) peakOfFirstTenth = peak
    if (lines > rows) break
  }
  return {
    rows: Math.min(lines - 1, rows),
    firstByteMs: firstByteMs ?? NaN,
    seconds: (performance.now() - startedAt) / 1000,
    peakMegabytes: peak - before,
    grownMegabytes: peak - peakOfFirstTenth,
  }
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) / 1024
}
