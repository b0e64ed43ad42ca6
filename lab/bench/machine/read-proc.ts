const TICK_NANOSECONDS = 10_000_000 // the kernel reports times in hundredths of a second

/** The use of all cores since the machine started, in milliseconds. */
export interface MachineTimes {
  readonly busyMs: number
  /** Taken by other guests of the same host. */
  readonly stealMs: number
}

/** Reads the first line of `/proc/stat`. */
export function parseMachineTimes(text: string): MachineTimes {
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0, steal = 0] = text
    .slice(0, text.indexOf('\n'))
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number)
  const toMs = TICK_NANOSECONDS / 1e6
  return { busyMs: (user + nice + system + interrupts + softInterrupts) * toMs, stealMs: steal * toMs }
}

export interface ProcessLine {
  readonly parent: number
  /** CPU of children that ended and were waited for. */
  readonly endedChildrenNanoseconds: number
}

/** Reads `/proc/<pid>/stat`. The name in parentheses may contain anything, also parentheses and spaces. */
export function parseProcessLine(text: string): ProcessLine {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return {
    parent: Number(fields[1]),
    endedChildrenNanoseconds: (Number(fields[13]) + Number(fields[14])) * TICK_NANOSECONDS,
  }
}

/** CPU nanoseconds, from `/proc/<pid>/task/<tid>/schedstat`. */
export function parseThreadCpu(text: string): number {
  return Number(text.split(' ', 1)[0])
}

/** Resident kilobytes, from `/proc/<pid>/status`; 0 for an ended process. */
export function parseResidentKb(text: string): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1] ?? 0)
}
