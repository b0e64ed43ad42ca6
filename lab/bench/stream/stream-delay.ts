import { measure } from '../harness/measure.ts'
import { median } from '../report.ts'
import type { BenchTargets } from '../gateway/start-targets.ts'
import type { TargetName } from '../gateway/target.ts'
import { helpersOf, sendStreams, type Shape, type StreamOptions } from './stream-run.ts'

interface Test {
  readonly shape: Shape
  readonly connections: number
}

/** One chunk at a time; chunks with pauses, each read and written alone; chunks without pauses. */
export const TESTS = {
  first: { shape: { chunks: 1, everyMs: 0 }, connections: 1 },
  spaced: { shape: { chunks: 100, everyMs: 10 }, connections: 50 },
  burst: { shape: { chunks: 200, everyMs: 0 }, connections: 16 },
} satisfies Record<string, Test>
export type TestName = keyof typeof TESTS

/** Times are in microseconds. */
export interface StreamDelayRow {
  readonly round: number
  readonly test: TestName
  readonly target: TargetName
  readonly firstP50: number
  readonly firstP99: number
  readonly cpuPerChunk: number
  readonly chunksPerSecond: number
  readonly delayP50: number
  readonly delayP99: number
  readonly bad: number
  readonly noise: number
}

export async function measureStreamDelay(field: BenchTargets, options: StreamOptions): Promise<StreamDelayRow[]> {
  const load = options.cores.load
  for (const target of field.targets.values()) {
    console.error(`warming up ${target.name} …`)
    for (const { shape, connections } of [TESTS.first, TESTS.burst, TESTS.first, TESTS.burst]) {
      await sendStreams(target, shape, load, { connections: Math.max(8, connections), seconds: options.seconds })
    }
  }
  const rows: StreamDelayRow[] = []
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const test of Object.keys(TESTS) as TestName[]) {
      for (const [name, target] of field.targets) {
        const { shape, connections } = TESTS[test]
        const { load: report, ...measured } = await measure({
          ...options,
          ...helpersOf(field, target),
          targets: [target.pid],
          send: () => sendStreams(target, shape, load, { connections, seconds: options.seconds, warmUpSeconds: 0.5 }),
        })
        rows.push({
          round,
          test,
          target: name,
          firstP50: report.firstEvent.p50,
          firstP99: report.firstEvent.p99,
          cpuPerChunk: measured.cpuMicroseconds / report.chunks,
          chunksPerSecond: report.chunksPerSecond,
          delayP50: report.chunkDelay.p50,
          delayP99: report.chunkDelay.p99,
          bad: report.rejected + report.failed + report.unfinished + report.missingChunks,
          noise: measured.noise,
        })
        console.error(`round ${round}, ${test}, ${name}: ${rows.at(-1)!.cpuPerChunk.toFixed(1)} µs a chunk`)
      }
    }
  }
  return rows
}

export interface StreamDelaySummary extends Omit<StreamDelayRow, 'round'> {
  /** Relative to the CPU of bare undici, and in addition to the delay of the upstream; compared within each round. */
  readonly timesBare: number | undefined
  readonly addedFirstP50: number | undefined
  readonly addedFirstP99: number | undefined
  readonly addedDelayP99: number | undefined
}

export function summariseStreamDelay(rows: readonly StreamDelayRow[]): StreamDelaySummary[] {
  const keys = new Map(rows.map((row) => [`${row.test} ${row.target}`, row]))
  return [...keys.values()].map(({ test, target }) => {
    const own = rows.filter((row) => row.test === test && row.target === target)
    const middle = (field: keyof StreamDelayRow) => median(own.map((row) => row[field] as number))
    const against = (name: TargetName, compare: (row: StreamDelayRow, other: StreamDelayRow) => number) => {
      const values = own.flatMap((row) => {
        const other = rows.find((one) => one.test === test && one.target === name && one.round === row.round)
        return other && name !== target ? [compare(row, other)] : []
      })
      return values.length > 0 ? median(values) : undefined
    }
    return {
      test,
      target,
      firstP50: middle('firstP50'),
      firstP99: middle('firstP99'),
      cpuPerChunk: middle('cpuPerChunk'),
      chunksPerSecond: middle('chunksPerSecond'),
      delayP50: middle('delayP50'),
      delayP99: middle('delayP99'),
      bad: own.reduce((sum, row) => sum + row.bad, 0),
      noise: Math.max(...own.map((row) => row.noise)),
      timesBare: against('undici', (row, bare) => row.cpuPerChunk / bare.cpuPerChunk),
      addedFirstP50: against('direct', (row, direct) => row.firstP50 - direct.firstP50),
      addedFirstP99: against('direct', (row, direct) => row.firstP99 - direct.firstP99),
      addedDelayP99: against('direct', (row, direct) => row.delayP99 - direct.delayP99),
    }
  })
}
