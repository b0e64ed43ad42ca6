import { readFile, rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { outFolder } from '../harness/paths.ts'
import { runLoad } from '../harness/run-load.ts'
import type { Cores } from '../machine/machine.ts'
import { markdownTable } from '../report.ts'
import { sourceFinder } from './profile.ts'
import { startTargets } from './start-targets.ts'
import { packageOf } from './summarise-profile.ts'
import type { TargetName } from './target.ts'

interface AllocationOptions {
  readonly target: TargetName
  readonly seconds: number
  readonly concurrency: number
  readonly cores: Cores
}

/** A node of V8's sampled allocations: the bytes that its function allocated, and what that called. */
export interface AllocationNode {
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  readonly selfSize: number
  readonly children: readonly AllocationNode[]
}

export interface Allocations {
  readonly completed: number
  readonly bytesPerRequest: number
  /** Bytes per request, largest first. */
  readonly files: readonly (readonly [name: string, bytes: number])[]
  readonly functions: readonly (readonly [name: string, bytes: number])[]
  readonly packages: readonly (readonly [name: string, bytes: number])[]
}

const SAMPLER = fileURLToPath(new URL('../harness/sample-allocations.ts', import.meta.url))
const WAIT_MS = 30_000
const LISTED = 40

/** Loads a target while V8 samples its allocations on the heap. The warm-up is left out. */
export async function measureAllocations(options: AllocationOptions): Promise<Allocations> {
  const { target, seconds, concurrency, cores } = options
  const file = `${await outFolder('allocations')}${target}.json`
  await rm(file, { force: true })
  const field = await startTargets({
    names: [target],
    cores,
    nodeFlags: ['--import', SAMPLER],
    env: { ALLOCATIONS_FILE: file },
  })
  try {
    const { port, pid, headers, bodyFile } = field.targets.get(target)!
    const load = { ports: [port], headers, bodyFile, connections: concurrency, cores: cores.load }
    await runLoad({ ...load, seconds })
    process.kill(pid, 'SIGUSR2')
    const { completed } = await runLoad({ ...load, seconds })
    process.kill(pid, 'SIGUSR2')
    const { head } = await readProfile(file)
    return await summariseAllocations(head, completed)
  } finally {
    await field.close()
  }
}

async function readProfile(file: string): Promise<{ head: AllocationNode }> {
  for (const deadline = performance.now() + WAIT_MS; ; await pause(100)) {
    const text = await readFile(file, 'utf8').catch(() => '')
    try {
      return JSON.parse(text) as { head: AllocationNode }
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
  }
}

/** Sums the bytes by function, source file and package. */
export async function summariseAllocations(head: AllocationNode, completed: number): Promise<Allocations> {
  const nodes: AllocationNode[] = []
  const collect = (node: AllocationNode) => {
    nodes.push(node)
    node.children.forEach(collect)
  }
  collect(head)
  const sourceOf = await sourceFinder(nodes.map(({ callFrame }) => callFrame.url))
  const fileOf = ({ callFrame: { url, lineNumber } }: AllocationNode) =>
    url === '' ? 'V8 and native code' : sourceOf(url, lineNumber)
  const by = (key: (node: AllocationNode) => string) => {
    const sums = new Map<string, number>()
    for (const node of nodes) sums.set(key(node), (sums.get(key(node)) ?? 0) + node.selfSize / completed)
    return [...sums].filter(([, bytes]) => bytes >= 1).toSorted(([, a], [, b]) => b - a)
  }
  return {
    completed,
    bytesPerRequest: nodes.reduce((sum, { selfSize }) => sum + selfSize, 0) / completed,
    files: by(fileOf),
    functions: by((node) => `${node.callFrame.functionName || '(anonymous)'} ${fileOf(node)}`),
    packages: by((node) => packageOf(fileOf(node))),
  }
}

export function printAllocations({ completed, bytesPerRequest, packages, files, functions }: Allocations): void {
  console.log(`${(bytesPerRequest / 1024).toFixed(1)} KB allocated per request, sampled over ${completed} requests\n`)
  for (const [head, rows] of Object.entries({ package: packages, file: files, function: functions })) {
    console.log(
      `${markdownTable(
        [head, 'bytes per request'],
        rows.slice(0, LISTED).map(([name, bytes]) => [`\`${name}\``, bytes]),
      )}\n`,
    )
  }
}
