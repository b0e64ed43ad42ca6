import { CROSS } from '../harness/bench-site.ts'
import { writeChatBody } from '../harness/chat-body.ts'
import { type LoadOptions, type LoadReport, runLoad } from '../harness/run-load.ts'
import type { BenchTargets } from '../gateway/start-targets.ts'
import type { Target, TargetName } from '../gateway/target.ts'
import type { Cores } from '../machine/machine.ts'

/** What all parts of the measurement share. */
export interface StreamOptions {
  readonly names: readonly TargetName[]
  readonly rounds: number
  readonly seconds: number
  readonly maxNoise: number
  readonly maxTries: number
  readonly cores: Cores
}

/** Chunks of a stream and the milliseconds between them; the upstream reads them from the model's name. */
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

/** Sends streamed calls to a target and waits until what they caused is done. */
export async function sendStreams(target: Target, shape: Shape, cores: string, sending: Sending): Promise<LoadReport> {
  const { characters, ...load } = sending
  const model = (target.name === 'tidegate-cross' ? CROSS : '') + modelOf(shape)
  const bodyFile = await writeChatBody(model, { stream: true, characters })
  const { port, headers } = target
  const report = await runLoad({ ...load, ports: [port], headers, bodyFile, cores, chunksPerStream: shape.chunks })
  await target.settle?.()
  return report
}

/** What belongs to a run besides its target, so that it is not taken for noise. */
export function helpersOf({ mock, postgres }: BenchTargets, target: Target): { database?: number; helpers: number[] } {
  const isOurs = target.settle !== undefined
  return {
    database: isOurs ? postgres?.pid : undefined,
    helpers: [mock.pid, ...(postgres && !isOurs ? [postgres.pid] : [])],
  }
}
