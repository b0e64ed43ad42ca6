import { writeChatBody } from '../harness/chat-body.ts'
import { runLoad } from '../harness/run-load.ts'
import { MODEL } from '../gateway/start-targets.ts'
import { readTree } from '../machine/process-tree.ts'
import { CONNECTIONS, type ScaleOptions } from './measure-growth.ts'
import type { ScaleSite } from './scale-site.ts'
import { type Trend, trendOf } from './trend.ts'

const POLL_INTERVAL_MS = 1000

interface Sample {
  readonly second: number
  readonly waiting: number
  readonly journalMb: number
  readonly residentMb: number
}

export interface SustainResult {
  readonly minutes: number
  readonly completed: number
  readonly bad: number
  readonly requestsPerSecond: number
  /** Until the last settlement was in the database. */
  readonly settledPerSecond: number
  readonly settled: number
  readonly p99: number
  readonly waiting: Trend
  readonly journalMb: Trend
  readonly residentMb: Trend
  readonly samples: readonly Sample[]
}

/** Sends requests for minutes without a pause; queue, journal and memory are sampled every second. */
export async function sustain(
  { site, process, keyFile }: ScaleSite,
  minutes: number,
  options: ScaleOptions,
  rate?: number,
): Promise<SustainResult> {
  const bookedBefore = await site.settledRequests()
  const samples: Sample[] = []
  const startedAt = performance.now()
  const sampling = setInterval(() => {
    void sample().then(
      (seen) => samples.push(seen),
      () => undefined, // one look that is missing changes nothing
    )
  }, POLL_INTERVAL_MS)
  async function sample(): Promise<Sample> {
    const second = (performance.now() - startedAt) / 1000
    const [waiting, bytes] = await Promise.all([
      process.metric('tidegate_waiting_bookings'),
      process.metric('tidegate_journal_bytes'),
    ])
    return { second, waiting, journalMb: bytes / 1024 ** 2, residentMb: readTree(process.pid).residentKb / 1024 }
  }

  const bodyFile = await writeChatBody(MODEL)
  const load = await runLoad({
    ports: [process.port],
    bodyFile,
    keyFile,
    connections: CONNECTIONS,
    seconds: minutes * 60,
    rate,
    cores: options.cores.load,
  }).finally(() => clearInterval(sampling))
  await process.untilSettled()
  const seconds = (performance.now() - startedAt) / 1000
  const trend = (field: Exclude<keyof Sample, 'second'>) => trendOf(samples.map((seen) => [seen.second, seen[field]]))
  return {
    minutes,
    completed: load.completed,
    bad: load.rejected + load.failed + load.unfinished,
    requestsPerSecond: load.perSecond,
    settledPerSecond: load.completed / seconds,
    settled: (await site.settledRequests()) - bookedBefore,
    p99: load.latency.p99,
    waiting: trend('waiting'),
    journalMb: trend('journalMb'),
    residentMb: trend('residentMb'),
    samples,
  }
}
