import { readdir, readFile, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { markdownTable } from '../report.ts'
import { outFolder } from '../harness/paths.ts'
import type { LoadReport } from '../harness/run-load.ts'
import type { Cores } from '../machine/machine.ts'
import { startTargets } from './start-targets.ts'
import {
  type CpuProfile,
  type ProfileSummary,
  readRegions,
  type SelfTime,
  summariseProfile,
} from './summarise-profile.ts'
import type { Target, TargetName } from './target.ts'

const INTERVAL_MICROSECONDS = 200
const LISTED = 30

interface ProfileOptions {
  readonly target: TargetName
  readonly cores: Cores
  readonly models?: readonly string[]
  send(target: Target): Promise<LoadReport>
}

/** Includes the number of requests completed meanwhile. */
export interface LoadProfile extends ProfileSummary {
  readonly completed: number
}

/** Loads Tidegate while Node's profiler runs. The warm-up is left out. */
export async function profileTarget({ target, cores, models, send }: ProfileOptions): Promise<LoadProfile> {
  const folder = await outFolder('profile')
  await Promise.all((await readdir(folder)).map((name) => rm(`${folder}${name}`)))
  const nodeFlags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${INTERVAL_MICROSECONDS}`]
  const field = await startTargets({ names: [target], cores, nodeFlags, ...(models && { models }) })
  let window: { from: number; to: number }
  let completed: number
  try {
    const started = field.targets.get(target)!
    await send(started)
    const from = monotonicMicroseconds()
    completed = (await send(started)).completed
    window = { from, to: monotonicMicroseconds() }
    await started.settle?.()
  } finally {
    await field.close()
  }
  const profile = await readLargest(folder)
  return {
    completed,
    ...summariseProfile(profile, {
      ...window,
      sourceOf: await sourceFinder(profile.nodes.map(({ callFrame }) => callFrame.url)),
    }),
  }
}

export function printProfile({ functions, files, packages, ours, busyMicroseconds, completed }: LoadProfile): void {
  const table = (head: string, times: readonly SelfTime[]) =>
    markdownTable(
      [head, 'self time, ms', '% of busy time'],
      times.slice(0, LISTED).map(({ name, microseconds, share }) => [`\`${name}\``, microseconds / 1000, share * 100]),
    )
  const each = (busyMicroseconds / completed).toFixed(0)
  console.log(
    `${Math.round(busyMicroseconds / 1000)} ms of one core for ${completed} requests: ${each} µs each, including the profiler and other load\n`,
  )
  console.log(`${table('function', functions)}\n\n${table('file', files)}\n\n${table('package', packages)}\n`)
  console.log(table('function of ours, with what it had Node and libraries do', ours))
}

function monotonicMicroseconds(): number {
  return Number(process.hrtime.bigint() / 1000n)
}

/** Each thread writes a file; that of the main thread is by far the largest. */
async function readLargest(folder: string): Promise<CpuProfile> {
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(folder + name, 'utf8')))
  const largest = texts.toSorted((a, b) => b.length - a.length)[0]
  if (largest === undefined) throw new Error('no profile was written')
  return JSON.parse(largest) as CpuProfile
}

/** Finds the source file of a line in the built files of a profile. */
export async function sourceFinder(allUrls: readonly string[]): Promise<(url: string, line: number) => string> {
  const regions = new Map<string, (line: number) => string | undefined>()
  const urls = new Set(allUrls.filter((url) => url.startsWith('file:')))
  for (const url of urls) regions.set(url, readRegions(await readFile(fileURLToPath(url), 'utf8').catch(() => '')))
  return (url, line) => regions.get(url)?.(line) ?? url
}
