import type { Summary } from './summarise.ts'
import type { TargetName } from './target.ts'

/** A goal, the measured value, and whether the goal is reached. */
export interface GoalResult {
  readonly goal: string
  readonly metric: number
  readonly isReached: boolean
}

/** What Tidegate promises compared with its peers. A goal is left out if its peer was not measured. */
export function checkGoals(summaries: readonly Summary[]): GoalResult[] {
  const at = (concurrency: number, target: TargetName) =>
    summaries.find((summary) => summary.concurrency === concurrency && summary.target === target)
  const ratio = (ours: TargetName, theirs: TargetName) => {
    const [own, other] = [at(64, ours), at(64, theirs)]
    return own && other && own.cpuPerRequest / other.cpuPerRequest
  }
  const [alone, bareAlone] = [at(1, 'tidegate'), at(1, 'undici')]
  const memory = summaries.filter(({ target }) => target === 'tidegate').map(({ residentMb }) => residentMb)
  const portkey = ratio('portkey', 'tidegate')
  return [
    ...atMost('CPU, times bare undici, 64 at once', ratio('tidegate', 'undici'), 1.5),
    ...atMost('CPU, times Go ReverseProxy, 64 at once', ratio('tidegate', 'go'), 1),
    ...(portkey === undefined
      ? []
      : [{ goal: 'Portkey uses at least 15 times the CPU, 64 at once', metric: portkey, isReached: portkey >= 15 }]),
    ...atMost('CPU across dialects, times bare undici, 64 at once', ratio('tidegate-cross', 'undici'), 2.5),
    ...atMost('p50 over bare undici in µs, one at a time', alone && bareAlone && alone.p50 - bareAlone.p50, 150),
    ...atMost('resident memory in MB, the most', memory.length > 0 ? Math.max(...memory) : undefined, 150),
  ]
}

function atMost(what: string, metric: number | undefined, max: number): GoalResult[] {
  return metric === undefined ? [] : [{ goal: `${what}: at most ${max}`, metric, isReached: metric <= max }]
}
