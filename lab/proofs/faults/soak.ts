import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openLeases, setBalance, usageRows, verifyBooks } from '@tidegate/e2e/scenarios/books.ts'
import { openServerMemory, INSPECTABLE, type ServerMemory } from '@tidegate/e2e/scenarios/streams/server-memory.ts'
import { until } from '@tidegate/e2e/scenarios/until.ts'
import { reconcileFault, type ReconcileResult } from '@tidegate/e2e/scenarios/faults/reconcile.ts'
import { openFaultSite, type FaultSite } from '@tidegate/e2e/scenarios/faults/fault-site.ts'
import { startLoad } from '@tidegate/e2e/scenarios/faults/load.ts'
import { watchBalances } from '@tidegate/e2e/scenarios/faults/watch-balances.ts'

export interface SoakPlan {
  seconds: number
  callers: number
  requestsPerSecond: number
}

/** One sample of the site. Memory and handles are those of all gateways together. */
export interface Sample {
  second: number
  heapBytes: number
  rssBytes: number
  /** Open files and sockets. */
  handles: number
  journalBytes: number
  leases: number
  requests: number
}

export interface SoakResult extends ReconcileResult {
  samples: Sample[]
  /** Hourly growth of live objects, by the line through the second half of the samples. */
  heapBytesPerHour: number
  rssBytesPerHour: number
  handlesPerHour: number
  maxJournalBytes: number
  maxLeases: number
  lowestBalance: number
  requests: number
  verify: string
  failures: string[]
}

/** A sample collects garbage, which delays requests: not too often. */
const SAMPLE_INTERVAL_SECONDS = 15
const MIN_SAMPLES = 12
/** Below this time a slope is noise. */
const SLOPE_COUNTS_AFTER_SECONDS = 600
const MAX_HEAP_GROWTH_PER_HOUR = 32 * 1024 ** 2
const MAX_HANDLE_GROWTH_PER_HOUR = 60
const LEASES_GONE_WITHIN_MS = 30_000
const BALANCE = 8_000

/** Sends mixed requests for a long time without faults, to find what grows without bound. */
export async function runSoakTest({ seconds, callers, requestsPerSecond }: SoakPlan): Promise<SoakResult> {
  const faultSite = await openFaultSite({ env: INSPECTABLE })
  const { site, upstream, fleet, keys } = faultSite
  const { db } = site.database
  const failures: string[] = []
  let memories: ServerMemory[] = []
  try {
    memories = await Promise.all(fleet.gateways.map(openServerMemory))
    const balances = watchBalances(db)
    const load = startLoad({ urls: fleet.gateways.map(({ url }) => url), keys, callers, requestsPerSecond })
    const startedAt = performance.now()
    const samples: Sample[] = []
    const sampling = Math.max(MIN_SAMPLES, Math.floor(seconds / SAMPLE_INTERVAL_SECONDS))
    for (let index = 1; index <= sampling; index++) {
      await delay(Math.max(0, startedAt + (seconds * 1000 * index) / sampling - performance.now()))
      const second = (performance.now() - startedAt) / 1000
      samples.push({ second, requests: load.requests.length, ...(await takeSample(faultSite, memories)) })
      await setBalances(faultSite)
    }
    if ((await load.stop()) > 0) failures.push('calls never ended')
    const leasesGone = await until(async () => (await openLeases(db)) === 0, LEASES_GONE_WITHIN_MS)
    if (!leasesGone) failures.push(`${await openLeases(db)} leases stay open`)
    const { lowest } = await balances.stop()
    if (lowest < 0) failures.push(`a balance of ${lowest} was seen`)
    for (const memory of memories.splice(0)) memory.close()
    failures.push(...(await fleet.stop()))
    const account = reconcileFault(load.requests, upstream.requests, await usageRows(db), {})
    const verify = await verifyBooks(site.env, site.dataDirectory)
    const slopes = slopesOf(samples.slice(samples.length / 2)) // the first half is warm-up
    if (seconds >= SLOPE_COUNTS_AFTER_SECONDS) failures.push(...tooSteep(slopes))
    return {
      ...account,
      ...slopes,
      samples,
      maxJournalBytes: Math.max(...samples.map(({ journalBytes }) => journalBytes)),
      maxLeases: Math.max(...samples.map(({ leases }) => leases)),
      lowestBalance: lowest,
      requests: load.requests.length,
      verify,
      failures: [...failures, ...account.lost, ...(verify === '' ? [] : [`verify: ${verify}`])],
    }
  } finally {
    for (const memory of memories) memory.close()
    await faultSite.close()
  }
}

async function takeSample({ site, fleet }: FaultSite, memories: readonly ServerMemory[]) {
  const sizes = await Promise.all(memories.map((memory) => memory.measure()))
  const handles = await Promise.all(fleet.gateways.map(async ({ pid }) => (await readdir(`/proc/${pid}/fd`)).length))
  return {
    heapBytes: sum(sizes.map(({ heap, buffers }) => heap + buffers)),
    rssBytes: sum(sizes.map(({ rss }) => rss)),
    handles: sum(handles),
    journalBytes: await bytesUnder(join(site.dataDirectory, 'journal-2')),
    leases: await openLeases(site.database.db),
  }
}

/** Tops up empty accounts, so that accounts with little credit stay part of the load. */
async function setBalances({ site }: FaultSite): Promise<void> {
  const { db } = site.database
  const poor = await db.selectFrom('user').select('id').where('quota', '<', BALANCE).where('role', '<', 100).execute()
  for (const { id } of poor) await setBalance(db, id, BALANCE)
}

async function bytesUnder(directory: string): Promise<number> {
  const sizes: number[] = []
  for (const name of await readdir(directory, { recursive: true })) {
    const entry = await stat(join(directory, name)).catch(() => undefined) // settled and removed meanwhile
    if (entry?.isFile()) sizes.push(entry.size)
  }
  return sum(sizes)
}

type Slopes = Pick<SoakResult, 'heapBytesPerHour' | 'rssBytesPerHour' | 'handlesPerHour'>

function slopesOf(samples: readonly Sample[]): Slopes {
  return {
    heapBytesPerHour: slopeOf(samples, ({ heapBytes }) => heapBytes) * 3600,
    rssBytesPerHour: slopeOf(samples, ({ rssBytes }) => rssBytes) * 3600,
    handlesPerHour: slopeOf(samples, ({ handles }) => handles) * 3600,
  }
}

function tooSteep({ heapBytesPerHour, handlesPerHour }: Slopes): string[] {
  return [
    ...(heapBytesPerHour > MAX_HEAP_GROWTH_PER_HOUR ? ['living objects grow'] : []),
    ...(handlesPerHour > MAX_HANDLE_GROWTH_PER_HOUR ? ['handles grow'] : []),
  ]
}

/** Slope of the least-squares line, per second. */
function slopeOf(samples: readonly Sample[], metric: (sample: Sample) => number): number {
  const mean = (values: readonly number[]) => sum(values) / values.length
  const [middle, level] = [mean(samples.map(({ second }) => second)), mean(samples.map(metric))]
  const spread = sum(samples.map(({ second }) => (second - middle) ** 2))
  return sum(samples.map((sample) => (sample.second - middle) * (metric(sample) - level))) / spread
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
