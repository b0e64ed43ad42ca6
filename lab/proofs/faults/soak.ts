import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openLeases, setBalance, usageRows, verifyBooks } from '@tidegate/e2e/scenarios/books.ts'
import { openServerMemory, INSPECTABLE, type ServerMemory } from '@tidegate/e2e/scenarios/streams/server-memory.ts'
import { until } from '@tidegate/e2e/scenarios/until.ts'
import { accountFor, type Account } from '@tidegate/e2e/scenarios/faults/reconcile.ts'
import { openField, type Field } from '@tidegate/e2e/scenarios/faults/fault-site.ts'
import { startLoad } from '@tidegate/e2e/scenarios/faults/load.ts'
import { watchBalances } from '@tidegate/e2e/scenarios/faults/watch-balances.ts'

export interface SoakPlan {
  seconds: number
  callers: number
  callsPerSecond: number
}

/** One look at the site. Memory and handles are those of all gateways together. */
export interface Sample {
  second: number
  heapBytes: number
  rssBytes: number
  /** Files and sockets that are open. */
  handles: number
  journalBytes: number
  leases: number
  calls: number
}

export interface SoakResult extends Account {
  samples: Sample[]
  /** What living objects grow by in an hour, by the line through the second half of the samples. */
  heapBytesPerHour: number
  rssBytesPerHour: number
  handlesPerHour: number
  mostJournalBytes: number
  mostLeases: number
  lowestBalance: number
  calls: number
  verify: string
  short: string[]
}

/** A look collects garbage, which calls wait for: not too often. */
const LOOK_EVERY_SECONDS = 15
const FEWEST_LOOKS = 12
/** In less time than this a slope is weather. */
const SLOPE_COUNTS_AFTER_SECONDS = 600
const MOST_HEAP_GROWTH_AN_HOUR = 32 * 1024 ** 2
const MOST_HANDLE_GROWTH_AN_HOUR = 60
const LEASES_GONE_WITHIN_MS = 30_000
const PURSE = 8_000

/** Mixed calls for a long time, with nothing wrong: whatever grows without an end shows. */
export async function soak({ seconds, callers, callsPerSecond }: SoakPlan): Promise<SoakResult> {
  const field = await openField({ env: INSPECTABLE })
  const { site, upstream, fleet, keys } = field
  const { db } = site.database
  const short: string[] = []
  let memories: ServerMemory[] = []
  try {
    memories = await Promise.all(fleet.gateways.map(openServerMemory))
    const balances = watchBalances(db)
    const load = startLoad({ urls: fleet.gateways.map(({ url }) => url), keys, callers, callsPerSecond })
    const startedAt = performance.now()
    const samples: Sample[] = []
    const looks = Math.max(FEWEST_LOOKS, Math.floor(seconds / LOOK_EVERY_SECONDS))
    for (let index = 1; index <= looks; index++) {
      await delay(Math.max(0, startedAt + (seconds * 1000 * index) / looks - performance.now()))
      const second = (performance.now() - startedAt) / 1000
      samples.push({ second, calls: load.calls.length, ...(await look(field, memories)) })
      await fillPurses(field)
    }
    if ((await load.stop()) > 0) short.push('calls never ended')
    const leasesGone = await until(async () => (await openLeases(db)) === 0, LEASES_GONE_WITHIN_MS)
    if (!leasesGone) short.push(`${await openLeases(db)} leases stay open`)
    const { lowest } = await balances.stop()
    if (lowest < 0) short.push(`a balance of ${lowest} was seen`)
    for (const memory of memories.splice(0)) memory.close()
    if ((await fleet.stop()) > 0) short.push('a process did not end well')
    const account = accountFor(load.calls, upstream.requests, await usageRows(db), {})
    const verify = await verifyBooks(site.env, site.dataDirectory)
    const slopes = slopesOf(samples.slice(samples.length / 2)) // the first half is warming up
    if (seconds >= SLOPE_COUNTS_AFTER_SECONDS) short.push(...tooSteep(slopes))
    return {
      ...account,
      ...slopes,
      samples,
      mostJournalBytes: Math.max(...samples.map(({ journalBytes }) => journalBytes)),
      mostLeases: Math.max(...samples.map(({ leases }) => leases)),
      lowestBalance: lowest,
      calls: load.calls.length,
      verify,
      short: [...short, ...account.lost, ...(verify === '' ? [] : [`verify: ${verify}`])],
    }
  } finally {
    for (const memory of memories) memory.close()
    await field.close()
  }
}

async function look({ site, fleet }: Field, memories: readonly ServerMemory[]) {
  const sizes = await Promise.all(memories.map((memory) => memory.measure()))
  const handles = await Promise.all(fleet.gateways.map(async ({ pid }) => (await readdir(`/proc/${pid}/fd`)).length))
  return {
    heapBytes: sum(sizes.map(({ heap, buffers }) => heap + buffers)),
    rssBytes: sum(sizes.map(({ rss }) => rss)),
    handles: sum(handles),
    journalBytes: await bytesUnder(join(site.dataDirectory, 'journal')),
    leases: await openLeases(site.database.db),
  }
}

/** Those who ran dry get something again, so that tight accounts stay part of the load. */
async function fillPurses({ site }: Field): Promise<void> {
  const { db } = site.database
  const poor = await db.selectFrom('user').select('id').where('quota', '<', PURSE).where('role', '<', 100).execute()
  for (const { id } of poor) await setBalance(db, id, PURSE)
}

async function bytesUnder(directory: string): Promise<number> {
  const sizes: number[] = []
  for (const name of await readdir(directory, { recursive: true })) {
    const entry = await stat(join(directory, name)).catch(() => undefined) // booked and removed meanwhile
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
    ...(heapBytesPerHour > MOST_HEAP_GROWTH_AN_HOUR ? ['living objects grow'] : []),
    ...(handlesPerHour > MOST_HANDLE_GROWTH_AN_HOUR ? ['handles grow'] : []),
  ]
}

/** Of the straight line that fits best, for each second. */
function slopeOf(samples: readonly Sample[], figure: (sample: Sample) => number): number {
  const mean = (values: readonly number[]) => sum(values) / values.length
  const [middle, level] = [mean(samples.map(({ second }) => second)), mean(samples.map(figure))]
  const spread = sum(samples.map(({ second }) => (second - middle) ** 2))
  return sum(samples.map((sample) => (sample.second - middle) * (figure(sample) - level))) / spread
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
