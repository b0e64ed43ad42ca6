import { median } from '../report.ts'
import { writeChatBody } from '../harness/chat-body.ts'
import { measure } from '../harness/measure.ts'
import { runLoad } from '../harness/run-load.ts'
import { MODEL } from '../gateway/start-targets.ts'
import type { TidegateProcess } from '../harness/tidegate-process.ts'
import type { Cores } from '../machine/machine.ts'
import type { Step } from './plan-steps.ts'
import type { ScaleSite } from './scale-site.ts'

export const CONNECTIONS = 64

export interface ScaleOptions {
  readonly rounds: number
  readonly seconds: number
  readonly maxNoise: number
  readonly maxTries: number
  readonly cores: Cores
  /** Upstream and database. */
  readonly mockPid: number
  readonly postgresPid: number
}

/** Times are microseconds per request. */
export interface SiteMetrics {
  readonly cpu: number
  readonly database: number
  readonly requestsPerSecond: number
  readonly p99: number
  readonly residentMb: number
  readonly completed: number
  readonly bad: number
  readonly noise: number
}

/** Loads the processes of one site equally, until all responses are settled. */
export async function loadSite(
  processes: readonly TidegateProcess[],
  keyFile: string,
  options: ScaleOptions,
  rate?: number,
): Promise<SiteMetrics> {
  const bodyFile = await writeChatBody(MODEL)
  const { load, ...measured } = await measure({
    ...options,
    targets: processes.map(({ pid }) => pid),
    database: options.postgresPid,
    helpers: [options.mockPid],
    async send() {
      const report = await runLoad({
        ports: processes.map(({ port }) => port),
        bodyFile,
        keyFile,
        connections: CONNECTIONS,
        seconds: options.seconds,
        warmUpSeconds: Math.min(1, options.seconds / 3),
        rate,
        cores: options.cores.load,
      })
      await Promise.all(processes.map((process) => process.untilSettled()))
      return report
    },
  })
  return {
    cpu: measured.cpuMicroseconds / load.completed,
    database: measured.databaseMicroseconds / load.completed,
    requestsPerSecond: load.perSecond,
    p99: load.latency.p99,
    residentMb: measured.residentMb,
    completed: load.completed,
    bad: load.rejected + load.failed + load.unfinished,
    noise: measured.noise,
  }
}

export interface GrowthRow extends SiteMetrics {
  readonly what: string
  /** The site that stayed small, measured in turns with the one that grew. */
  readonly timesSmall: number
  readonly databaseTimesSmall: number
  /** The cheapest round of each: other load can only make a request more expensive. */
  readonly bestTimesSmall: number
  readonly growSeconds: number
}

/** Grows one site step by step and compares it with one that stays small, in turns. */
export async function measureGrowth(
  small: ScaleSite,
  large: ScaleSite,
  steps: readonly Step[],
  options: ScaleOptions,
): Promise<GrowthRow[]> {
  const rows: GrowthRow[] = []
  for (const { what, sizes } of steps) {
    console.error(`growing to ${what} …`)
    const startedAt = performance.now()
    await large.grow(sizes)
    const growSeconds = (performance.now() - startedAt) / 1000
    for (const site of [small, large]) await loadSite([site.process], site.keyFile, { ...options, maxTries: 1 }) // warm-up
    const pairs: { small: SiteMetrics; large: SiteMetrics }[] = []
    for (let round = 0; round < options.rounds; round += 1) {
      pairs.push({
        small: await loadSite([small.process], small.keyFile, options),
        large: await loadSite([large.process], large.keyFile, options),
      })
    }
    rows.push({ what, growSeconds, ...comparePairs(pairs) })
    console.error(`${what}: ${rows.at(-1)!.timesSmall.toFixed(2)} times the CPU of the small site`)
  }
  return rows
}

/** Medians of ratios within each pair. */
export function comparePairs(pairs: readonly { small: SiteMetrics; large: SiteMetrics }[]) {
  const middle = (field: keyof SiteMetrics) => median(pairs.map(({ large }) => large[field]))
  const cheapest = (site: 'small' | 'large') => Math.min(...pairs.map((pair) => pair[site].cpu))
  return {
    cpu: middle('cpu'),
    database: middle('database'),
    requestsPerSecond: middle('requestsPerSecond'),
    p99: middle('p99'),
    residentMb: middle('residentMb'),
    completed: pairs.reduce((sum, { large }) => sum + large.completed, 0),
    bad: pairs.reduce((sum, { small, large }) => sum + small.bad + large.bad, 0),
    noise: Math.max(...pairs.flatMap(({ small, large }) => [small.noise, large.noise])),
    timesSmall: median(pairs.map(({ small, large }) => large.cpu / small.cpu)),
    bestTimesSmall: cheapest('large') / cheapest('small'),
    databaseTimesSmall: median(pairs.map(({ small, large }) => large.database / small.database)),
  }
}
