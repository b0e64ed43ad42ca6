import { measure } from '../harness/measure.ts'
import { median } from '../report.ts'
import { type BenchTargets, startTargets } from '../gateway/start-targets.ts'
import type { Target, TargetName } from '../gateway/target.ts'
import { readTree } from '../machine/process-tree.ts'
import { helpersOf, modelOf, sendStreams, type Shape, type StreamOptions } from './stream-run.ts'

const EVERY_MS = 1000
/**
 * Streams are opened evenly, so that their chunks arrive evenly: ten thousand at once would queue behind each other.
 */
const OPENED_PER_SECOND = 500
const POLL_INTERVAL_MS = 500
/** The goal of the 99th percentile. A later chunk counts as late. */
const LATE_MS = 20

/** Times are in microseconds. */
export interface ManyStreamsRow {
  readonly streams: number
  readonly target: TargetName
  readonly kbPerStream: number
  readonly residentMb: number
  readonly busyCores: number
  readonly chunksPerSecond: number
  readonly delayP50: number
  readonly delayP99: number
  readonly addedP99: number | undefined
  readonly lost: number
  readonly late: number
  readonly rejected: number
  readonly failed: number
  readonly unfinished: number
  readonly noise: number
}

/** Opens slow streams concurrently, through a new process of each target. */
export async function measureManyStreams(sizes: readonly number[], options: StreamOptions): Promise<ManyStreamsRow[]> {
  const rows: ManyStreamsRow[] = []
  for (const streams of sizes) {
    let direct: Omit<ManyStreamsRow, 'addedP99'> | undefined
    for (const name of options.names) {
      const shape = shapeOf(streams, options)
      const field = await startTargets({ names: [name], cores: options.cores, models: [modelOf(shape), 'mock-1x0'] })
      try {
        const target = field.targets.get(name)
        if (!target) continue // it cannot be started here; the other parts report why
        const row = await measureOneTarget(field, target, streams, options)
        direct ??= name === 'direct' ? row : undefined
        rows.push({
          ...row,
          target: name,
          addedP99: direct && direct !== row ? row.delayP99 - direct.delayP99 : undefined,
        })
        console.error(`${streams} streams, ${name}: ${row.kbPerStream.toFixed(1)} KB each`)
      } finally {
        await field.close()
      }
    }
  }
  return rows
}

function shapeOf(streams: number, { seconds }: StreamOptions): Shape {
  const opening = streams / OPENED_PER_SECOND
  return { chunks: Math.ceil(((opening + seconds + 2) * 1000) / EVERY_MS), everyMs: EVERY_MS }
}

async function measureOneTarget(
  field: BenchTargets,
  target: Target,
  streams: number,
  options: StreamOptions,
): Promise<Omit<ManyStreamsRow, 'addedP99'>> {
  const { cores, seconds } = options
  const shape = shapeOf(streams, options)
  const opening = streams / OPENED_PER_SECOND + 1
  await sendStreams(target, { chunks: 1, everyMs: 0 }, cores.load, { connections: 16, seconds: 2 }) // short warm-up
  const before = readTree(target.pid).residentKb

  const samples: { at: number; residentKb: number; cpuNanoseconds: number }[] = []
  const startedAt = performance.now()
  const sampling = setInterval(
    () => samples.push({ at: performance.now() - startedAt, ...readTree(target.pid) }),
    POLL_INTERVAL_MS,
  )
  const { load, ...measured } = await measure({
    ...options,
    ...helpersOf(field, target),
    maxTries: 1, // another try would not meet a fresh process
    targets: [target.pid],
    send: () =>
      sendStreams(target, shape, cores.load, {
        connections: streams,
        rate: OPENED_PER_SECOND,
        maxRequests: streams,
        warmUpSeconds: opening,
        seconds,
        drainSeconds: opening + 20,
        lateMs: LATE_MS,
      }),
  }).finally(() => clearInterval(sampling))

  const open = samples.filter(({ at }) => at > opening * 1000 && at < (opening + seconds) * 1000)
  const residentKb = median(open.map((look) => look.residentKb))
  const [first, last] = [open.at(0), open.at(-1)]
  return {
    streams,
    target: target.name as TargetName,
    kbPerStream: (residentKb - before) / streams,
    residentMb: residentKb / 1024,
    busyCores: first && last ? (last.cpuNanoseconds - first.cpuNanoseconds) / 1e6 / (last.at - first.at) : 0,
    chunksPerSecond: load.chunksPerSecond,
    delayP50: load.chunkDelay.p50,
    delayP99: load.chunkDelay.p99,
    lost: load.missingChunks,
    late: load.lateChunks,
    rejected: load.rejected,
    failed: load.failed,
    unfinished: load.unfinished,
    noise: measured.noise,
  }
}
