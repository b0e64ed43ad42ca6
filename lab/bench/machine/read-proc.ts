const TICK_NANOSECONDS = 10_000_000 // the kernel shows times in hundredths of a second, whatever it counts in

/** What the machine did since it started, in milliseconds over all cores. */
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
  /** CPU of children that have ended and been waited for. */
  readonly endedChildrenNanoseconds: number
}

/** Reads `/proc/<pid>/stat`. The name in parentheses may hold anything, parentheses and blanks too. */
export function parseProcessLine(text: string): ProcessLine {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return {
    parent: Number(fields[1]),
    endedChildrenNanoseconds: (Number(fields[13]) + Number(fields[14])) * TICK_NANOSECONDS,
  }
}

/** Nanoseconds on a core, from `/proc/<pid>/task/<tid>/schedstat`. */
export function parseThreadCpu(text: string): number {
  return Number(text.split(' ', 1)[0])
}

/** Resident kilobytes, from `/proc/<pid>/status`; 0 for a process that has ended. */
export function parseResidentKb(text: string): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1] ?? 0)
}
