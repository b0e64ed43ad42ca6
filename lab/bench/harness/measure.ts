import { setTimeout as pause } from 'node:timers/promises'
import { readMachine, readTree } from '../machine/process-tree.ts'
import type { LoadReport } from './run-load.ts'

export interface Measurement {
  readonly load: LoadReport
  /** CPU of the target's process tree and of the database, until everything is settled. */
  readonly cpuMicroseconds: number
  readonly databaseMicroseconds: number
  readonly residentMb: number
  readonly wallSeconds: number
  /** Cores that other processes used meanwhile, on the machine or on its host. */
  readonly noise: number
  readonly tries: number
}

export interface MeasureOptions {
  /** The root processes of the target. */
  readonly targets: readonly number[]
  /** Other processes of the run: upstream and database. */
  readonly database?: number
  readonly helpers: readonly number[]
  /** Sends the load. What it awaits is part of the run. */
  send(): Promise<LoadReport>
  /** A run with more noise is repeated, at most twice. The quietest one counts. */
  readonly maxNoise: number
  readonly maxTries?: number
}

export async function measure(options: MeasureOptions): Promise<Measurement> {
  let best: Measurement | undefined
  for (let tries = 1; tries <= (options.maxTries ?? 3); tries += 1) {
    const measured = { ...(await measureOnce(options)), tries }
    if (best === undefined || measured.noise < best.noise) best = measured
    if (measured.noise <= options.maxNoise) break
    await pause(500)
  }
  return best!
}

async function measureOnce({ targets, database, helpers, send }: MeasureOptions): Promise<Omit<Measurement, 'tries'>> {
  const others = helpers.filter((pid) => !targets.includes(pid))
  const cpuOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + readTree(pid).cpuNanoseconds, 0) / 1000
  const read = () => ({
    at: performance.now(),
    machine: readMachine(),
    target: cpuOf(targets),
    database: database === undefined ? 0 : cpuOf([database]),
    helpers: cpuOf(others),
    own: process.cpuUsage(),
  })

  const before = read()
  const load = await send()
  const after = read()

  const wallMs = after.at - before.at
  const cpuMicroseconds = after.target - before.target
  const databaseMicroseconds = after.database - before.database
  const own = after.own.user + after.own.system - before.own.user - before.own.system
  const known = cpuMicroseconds + databaseMicroseconds + after.helpers - before.helpers + own + load.cpuMicroseconds
  const busyMs = after.machine.busyMs - before.machine.busyMs
  const stealMs = after.machine.stealMs - before.machine.stealMs
  return {
    load,
    cpuMicroseconds,
    databaseMicroseconds,
    residentMb: targets.reduce((sum, pid) => sum + readTree(pid).residentKb, 0) / 1024,
    wallSeconds: wallMs / 1000,
    noise: noiseOf({ busyMs, stealMs, knownMs: known / 1000, wallMs }),
  }
}

/** Cores used by unknown processes. Counters are coarse, so the result can be slightly negative. */
export function noiseOf(times: { busyMs: number; stealMs: number; knownMs: number; wallMs: number }): number {
  return (Math.max(0, times.busyMs - times.knownMs) + times.stealMs) / times.wallMs
}
