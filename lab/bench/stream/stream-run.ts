import { CROSS } from '../harness/bench-site.ts'
import { writeChatBody } from '../harness/chat-body.ts'
import { type LoadOptions, type LoadReport, runLoad } from '../harness/run-load.ts'
import type { BenchTargets } from '../gateway/start-targets.ts'
import type { Target, TargetName } from '../gateway/target.ts'
import type { Cores } from '../machine/machine.ts'

/** Options that all parts share. */
export interface StreamOptions {
  readonly names: readonly TargetName[]
  readonly rounds: number
  readonly seconds: number
  readonly maxNoise: number
  readonly maxTries: number
  readonly cores: Cores
}

/** Chunks of a stream and the milliseconds between them. The upstream reads them from the model name. */
export interface Shape {
  readonly chunks: number
  readonly everyMs: number
}

export function modelOf({ chunks, everyMs }: Shape): string {
  return `mock-${chunks}x${everyMs}`
}

type Sending = Pick<LoadOptions, 'connections' | 'seconds'> &
  Partial<Pick<LoadOptions, 'warmUpSeconds' | 'rate' | 'maxRequests' | 'drainSeconds' | 'lateMs'>> & {
    characters?: number
  }

/** Sends streamed requests to a target and waits until they are settled. */
export async function sendStreams(target: Target, shape: Shape, cores: string, sending: Sending): Promise<LoadReport> {
  const { characters, ...load } = sending
  const model = (target.name === 'tidegate-cross' ? CROSS : '') + modelOf(shape)
  const bodyFile = await writeChatBody(model, { stream: true, characters })
  const { port, headers } = target
  const report = await runLoad({ ...load, ports: [port], headers, bodyFile, cores, chunksPerStream: shape.chunks })
  await target.settle?.()
  return report
}

/** Other processes of a run, which must not count as noise. */
export function helpersOf({ mock, postgres }: BenchTargets, target: Target): { database?: number; helpers: number[] } {
  const isOurs = target.settle !== undefined
  return {
    database: isOurs ? postgres?.pid : undefined,
    helpers: [mock.pid, ...(postgres && !isOurs ? [postgres.pid] : [])],
  }
}
