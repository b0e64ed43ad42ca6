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
  const memory = summaries.filter(({ target }) => target === 'tidegate-gateway').map(({ residentMb }) => residentMb)
  const portkey = ratio('portkey', 'tidegate-gateway')
  return [
    ...atMost('CPU, times bare undici, 64 at once', ratio('tidegate-gateway', 'undici'), 2),
    ...atMost('CPU, times Go ReverseProxy, 64 at once', ratio('tidegate-gateway', 'go'), 1.3),
    ...(portkey === undefined
      ? []
      : [{ goal: 'Portkey uses at least 5 times the CPU, 64 at once', metric: portkey, isReached: portkey >= 5 }]),
    ...atMost('CPU across dialects, times bare undici, 64 at once', ratio('tidegate-cross', 'undici'), 2.5),
    ...atMost('p50 over bare undici in µs, one at a time', alone && bareAlone && alone.p50 - bareAlone.p50, 150),
    ...atMost('resident memory in MB, the most', memory.length > 0 ? Math.max(...memory) : undefined, 250),
  ]
}

function atMost(what: string, metric: number | undefined, max: number): GoalResult[] {
  return metric === undefined ? [] : [{ goal: `${what}: at most ${max}`, metric, isReached: metric <= max }]
}
