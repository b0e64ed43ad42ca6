import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Credit } from '@tidegate/ledger'
import type { Payer } from './accounts.ts'
import { chargeRequest } from './charge-request.ts'

export interface CreditLoad {
  requests: number
  /** Until the last settlement is in the database. */
  seconds: number
  cpuMicroseconds: number
  /** Peak values. */
  memoryMb: number
  journalMb: number
  waiting: number
}

interface LoadOptions {
  credit: Credit
  payers: readonly Payer[]
  journals: string
  seconds: number
}

const CLIENTS = 256
/** Clients pause while this many settlements wait for the database, which bounds the queue. */
const MAX_QUEUE_LENGTH = 20_000
const POLL_INTERVAL_MS = 100

/** Sends requests as fast as the ledger accepts them, with a bounded queue. */
export async function runLoad({ credit, payers, journals, seconds }: LoadOptions): Promise<CreditLoad> {
  const peaks = { memoryMb: 0, journalMb: 0, waiting: 0 }
  const startedAt = performance.now()
  const deadline = startedAt + seconds * 1000
  const cpuBefore = process.cpuUsage()
  let requests = 0

  async function sendUntilDeadline(): Promise<void> {
    while (performance.now() < deadline) {
      if (credit.waiting().settlements > MAX_QUEUE_LENGTH) await pause(5)
      else {
        const sequence = requests++
        await chargeRequest(credit, payers[sequence % payers.length]!, sequence)
      }
    }
  }

  async function watch(): Promise<void> {
    while (performance.now() < deadline) {
      peaks.memoryMb = Math.max(peaks.memoryMb, process.memoryUsage.rss() / 1024 ** 2)
      peaks.journalMb = Math.max(peaks.journalMb, (await sizeOf(journals)) / 1024 ** 2)
      peaks.waiting = Math.max(peaks.waiting, credit.waiting().settlements)
      await pause(POLL_INTERVAL_MS)
    }
  }

  await Promise.all([watch(), ...Array.from({ length: CLIENTS }, sendUntilDeadline)])
  await credit.flush()
  const { user, system } = process.cpuUsage(cpuBefore)
  return { requests, seconds: (performance.now() - startedAt) / 1000, cpuMicroseconds: user + system, ...peaks }
}

async function sizeOf(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true })
  const sizes = names.map((name) => stat(join(directory, name)).then(({ size }) => size, removedMeanwhile))
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

function removedMeanwhile(): number {
  return 0
}
