import { OUT } from './paths.ts'
import { runCommand } from './run-command.ts'

/** Microseconds. */
export interface Quantiles {
  readonly count: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly p999: number
  readonly max: number
}

export interface LoadReport {
  /** Responses with a status of 200 to 299, warm-up included. */
  readonly completed: number
  readonly rejected: number
  readonly failed: number
  readonly unfinished: number
  readonly issued: number
  readonly seconds: number
  readonly perSecond: number
  /** All chunks of streams, warm-up included. */
  readonly chunks: number
  readonly chunksPerSecond: number
  readonly lateChunks: number
  readonly missingChunks: number
  readonly shortStreams: number
  readonly latency: Quantiles
  /** Time to the response headers, and to the first byte of the body. */
  readonly firstByte: Quantiles
  readonly firstEvent: Quantiles
  /** From the send time of a chunk at the upstream to its arrival at the client. */
  readonly chunkDelay: Quantiles
  /** CPU of the load generator itself. */
  readonly cpuMicroseconds: number
}

export interface LoadOptions {
  readonly ports: readonly number[]
  readonly bodyFile: string
  readonly connections: number
  readonly seconds: number
  readonly cores: string
  readonly warmUpSeconds?: number
  readonly headers?: readonly string[]
  /** One key per line, all of the same length. */
  readonly keyFile?: string
  /** Requests per second. Default: each connection sends as soon as it got a response. */
  readonly rate?: number
  readonly maxRequests?: number
  readonly chunksPerStream?: number
  readonly lateMs?: number
  readonly drainSeconds?: number
}

export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const flags: Record<string, string | number | undefined> = {
    p: options.ports.join(','),
    b: options.bodyFile,
    c: options.connections,
    d: options.seconds,
    w: options.warmUpSeconds ?? 0,
    k: options.keyFile,
    r: options.rate,
    n: options.maxRequests,
    e: options.chunksPerStream,
    l: options.lateMs,
    x: options.drainSeconds ?? 5,
  }
  const args = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`-${name}`, String(value)],
  )
  const headers = (options.headers ?? []).flatMap((line) => ['-H', line])
  const { cores } = options
  return JSON.parse(await runCommand(`${OUT}load`, [...args, ...headers], { cores })) as LoadReport
}
