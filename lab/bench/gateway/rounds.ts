import { measure } from '../harness/measure.ts'
import { runLoad } from '../harness/run-load.ts'
import type { Cores } from '../machine/machine.ts'
import type { BenchTargets } from './start-targets.ts'
import { OURS, type Target, type TargetName } from './target.ts'

/** One target at one concurrency in one round. Times are in microseconds. */
export interface RoundRow {
  readonly round: number
  readonly concurrency: number
  readonly target: TargetName
  readonly cpuPerRequest: number
  readonly databasePerRequest: number
  readonly requestsPerSecond: number
  readonly p50: number
  readonly p99: number
  readonly residentMb: number
  readonly bad: number
  readonly noise: number
  readonly tries: number
}

export interface RoundOptions {
  readonly rounds: number
  readonly seconds: number
  readonly warmUpRequests: number
  readonly concurrencies: readonly number[]
  readonly maxNoise: number
  readonly maxTries: number
  readonly cores: Cores
}

/** Measures the targets in turn, so that other load of the machine affects all of them equally. */
export async function runRounds(
  field: BenchTargets,
  options: RoundOptions,
): Promise<{ rows: RoundRow[]; completed: number }> {
  let completed = 0
  const send = async (target: Target, connections: number, seconds: number, warmUpSeconds = 0) => {
    const { port, headers, bodyFile } = target
    const load = { ports: [port], headers, bodyFile, connections, seconds, warmUpSeconds, cores: options.cores.load }
    const report = await runLoad(load)
    if (OURS.some((name) => name === target.name)) completed += report.completed
    await target.settle?.()
    return report
  }

  for (const target of field.targets.values()) {
    console.error(`warming up ${target.name} …`)
    // Compilers are done after tens of thousands of requests. A slow peer gets no more time than the others.
    for (let sent = 0, turn = 0; sent < options.warmUpRequests && turn < 6; turn += 1) {
      sent += (await send(target, turn % 2 === 0 ? 16 : 64, Math.min(3, options.seconds))).completed
    }
  }

  const rows: RoundRow[] = []
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const concurrency of options.concurrencies) {
      for (const [name, target] of field.targets) {
        rows.push(await measureTarget(name, target, concurrency, round))
        console.error(`round ${round}, ${concurrency} at once, ${name}: ${Math.round(rows.at(-1)!.cpuPerRequest)} µs`)
      }
    }
  }
  return { rows, completed }

  async function measureTarget(
    name: TargetName,
    target: Target,
    concurrency: number,
    round: number,
  ): Promise<RoundRow> {
    const isOurs = target.settle !== undefined
    const { load, ...measured } = await measure({
      targets: [target.pid],
      database: isOurs ? field.postgres?.pid : undefined,
      helpers: [field.mock.pid, ...(field.postgres && !isOurs ? [field.postgres.pid] : [])],
      send: () => send(target, concurrency, options.seconds, Math.min(1, options.seconds / 3)),
      maxNoise: options.maxNoise,
      maxTries: options.maxTries,
    })
    return {
      round,
      concurrency,
      target: name,
      cpuPerRequest: measured.cpuMicroseconds / load.completed,
      databasePerRequest: measured.databaseMicroseconds / load.completed,
      requestsPerSecond: load.perSecond,
      p50: load.latency.p50,
      p99: load.latency.p99,
      residentMb: measured.residentMb,
      bad: load.rejected + load.failed + load.unfinished,
      noise: measured.noise,
      tries: measured.tries,
    }
  }
}
