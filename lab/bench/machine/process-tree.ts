import { readdirSync, readFileSync } from 'node:fs'
import { parseMachineTimes, parseProcessLine, parseResidentKb, parseThreadCpu, type MachineTimes } from './read-proc.ts'

/** The resource use of a process and its descendants. */
export interface TreeReading {
  /** User and kernel time of all threads and of ended children. */
  readonly cpuNanoseconds: number
  readonly residentKb: number
}

export function readTree(root: number): TreeReading {
  const readings = processesUnder(root).map((pid) => ({
    cpu: cpuOf(pid),
    residentKb: parseResidentKb(readOr(`/proc/${pid}/status`, '')),
  }))
  return {
    cpuNanoseconds: readings.reduce((sum, { cpu }) => sum + cpu, 0),
    residentKb: readings.reduce((sum, { residentKb }) => sum + residentKb, 0),
  }
}

export function readMachine(): MachineTimes {
  return parseMachineTimes(readFileSync('/proc/stat', 'utf8'))
}

function processesUnder(root: number): number[] {
  const children = new Map<number, number[]>()
  for (const entry of readdirSync('/proc')) {
    const line = /^\d+$/.test(entry) ? readOr(`/proc/${entry}/stat`, undefined) : undefined
    if (line === undefined) continue
    const { parent } = parseProcessLine(line)
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)])
  }
  const under = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(under)]
  return under(root)
}

function cpuOf(pid: number): number {
  const threads = listOr(`/proc/${pid}/task`)
  const own = threads.reduce(
    (sum, thread) => sum + parseThreadCpu(readOr(`/proc/${pid}/task/${thread}/schedstat`, '0')),
    0,
  )
  const line = readOr(`/proc/${pid}/stat`, undefined)
  return own + (line === undefined ? 0 : parseProcessLine(line).endedChildrenNanoseconds)
}

/** Processes can end while they are read. */
function readOr<Missing>(path: string, missing: Missing): string | Missing {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return missing
  }
}

function listOr(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
