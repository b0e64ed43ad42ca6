import { median } from '../report.ts'
import type { RoundRow } from './rounds.ts'
import type { TargetName } from './target.ts'

/** Medians over the rounds. Two targets are compared within each round first. */
export interface Summary {
  readonly concurrency: number
  readonly target: TargetName
  readonly cpuPerRequest: number
  readonly databasePerRequest: number
  readonly requestsPerSecond: number
  /** Relative to the CPU of bare undici; missing if that was not measured. */
  readonly timesBare: number | undefined
  readonly addedP50: number | undefined
  readonly addedP99: number | undefined
  readonly p50: number
  readonly residentMb: number
  readonly bad: number
  /** The noisiest round. */
  readonly noise: number
}

export function summarise(rows: readonly RoundRow[]): Summary[] {
  const concurrencies = [...new Set(rows.map(({ concurrency }) => concurrency))]
  const targets = [...new Set(rows.map(({ target }) => target))]
  return concurrencies.flatMap((concurrency) =>
    targets.map((target) =>
      summariseTarget(
        rows.filter((row) => row.concurrency === concurrency),
        target,
      ),
    ),
  )
}

function summariseTarget(rows: readonly RoundRow[], target: TargetName): Summary {
  const own = rows.filter((row) => row.target === target)
  const middle = (field: (row: RoundRow) => number) => median(own.map(field))
  const against = (name: TargetName, compare: (row: RoundRow, other: RoundRow) => number) => {
    const values = own.flatMap((row) => {
      const other = rows.find((candidate) => candidate.target === name && candidate.round === row.round)
      return other ? [compare(row, other)] : []
    })
    return values.length > 0 ? median(values) : undefined
  }
  return {
    concurrency: own[0]!.concurrency,
    target,
    cpuPerRequest: middle((row) => row.cpuPerRequest),
    databasePerRequest: middle((row) => row.databasePerRequest),
    requestsPerSecond: middle((row) => row.requestsPerSecond),
    timesBare: against('undici', (row, bare) => row.cpuPerRequest / bare.cpuPerRequest),
    addedP50: against('direct', (row, direct) => row.p50 - direct.p50),
    addedP99: against('direct', (row, direct) => row.p99 - direct.p99),
    p50: middle((row) => row.p50),
    residentMb: middle((row) => row.residentMb),
    bad: own.reduce((sum, row) => sum + row.bad, 0),
    noise: Math.max(...own.map((row) => row.noise)),
  }
}

/** CPU of a target relative to another, compared within each round: the median, and the middle half of the rounds. */
export function pairedRatio(rows: readonly RoundRow[], name: TargetName, other: TargetName): string | undefined {
  const ratios = rows
    .filter(({ target }) => target === name)
    .flatMap((row) => {
      const { round, concurrency } = row
      const pair = rows.find((one) => one.target === other && one.round === round && one.concurrency === concurrency)
      return pair ? [row.cpuPerRequest / pair.cpuPerRequest] : []
    })
    .toSorted((a, b) => a - b)
  if (ratios.length === 0) return undefined
  const at = (share: number) => ratios[Math.floor((ratios.length - 1) * share)]!.toFixed(2)
  return `${at(0.5)} (${at(0.25)} to ${at(0.75)}, ${ratios.length} rounds)`
}
