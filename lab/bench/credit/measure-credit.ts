import { findImbalances, openCredit } from '@tidegate/ledger'
import { removeDirectory, throwAwayDatabase, type ThrowAwayDatabase, throwAwayDirectory } from '@tidegate/testing'
import type { Metric } from '../report.ts'
import { addPayers } from './accounts.ts'
import { runLoad } from './run-load.ts'

const PAYERS = 100
const WARM_UP_SECONDS = 1
const SIZES = [
  { name: 'a lease per request', aheadSeconds: 0 },
  { name: 'sized leases', aheadSeconds: 3 },
]

/** Measures reservation and settlement without HTTP: the cost in this process, and the throughput of one database. */
export async function measureCredit({ seconds }: { seconds: number }): Promise<Metric[]> {
  const metrics: Metric[] = []
  for (const { name, aheadSeconds } of SIZES) metrics.push(...(await measureLeases(name, aheadSeconds, seconds)))
  return metrics
}

async function measureLeases(name: string, aheadSeconds: number, seconds: number): Promise<Metric[]> {
  const database = await throwAwayDatabase()
  const journals = await throwAwayDirectory()
  try {
    const payers = await addPayers(database.db, PAYERS)
    const statements = countStatements(database)
    const log = { info: () => {}, warn: console.error, error: console.error }
    const credit = await openCredit({
      db: database.db,
      holder: 'bench',
      journals,
      keepLog: () => true,
      log,
      aheadSeconds,
    })
    await runLoad({ credit, payers, journals, seconds: WARM_UP_SECONDS })
    const before = statements()
    const load = await runLoad({ credit, payers, journals, seconds })
    const sentStatements = statements() - before
    await credit.stop()
    const imbalances = await findImbalances(database.db)
    return [
      { name: `credit, ${name}, CPU`, value: load.cpuMicroseconds / load.requests, unit: 'µs', note: 'of a request' },
      {
        name: `credit, ${name}, settled`,
        value: load.requests / load.seconds,
        unit: 'requests/s',
        note: `${load.requests} in ${load.seconds.toFixed(1)} s, at most ${load.waiting} waiting`,
      },
      { name: `credit, ${name}, SQL`, value: (sentStatements / load.requests) * 1000, unit: 'statements/1000' },
      { name: `credit, ${name}, memory`, value: load.memoryMb, unit: 'MB', note: 'the most' },
      { name: `credit, ${name}, journal`, value: load.journalMb, unit: 'MB', note: 'the most' },
      ...(imbalances.length > 0
        ? [{ name: `credit, ${name}, imbalances`, value: imbalances.length, unit: 'errors' } as const]
        : []),
    ]
  } finally {
    await database.close()
    await removeDirectory(journals)
  }
}

/** Counts every statement of connections opened from now on, `begin` and `commit` included. */
function countStatements({ pool }: ThrowAwayDatabase): () => number {
  let count = 0
  pool.on('acquire', (client) => {
    if (counted.has(client)) return
    counted.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      count += 1
      return query(...args)
    }) as typeof client.query
  })
  return () => count
}

const counted = new WeakSet<object>()
