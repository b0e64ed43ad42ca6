import { relative } from 'node:path'
import type { SuiteReport } from './sum-results.ts'

/** The files that took longest, slowest first, one line each: seconds, suite, path from the root. */
export function slowestFiles(
  reports: Readonly<Record<string, SuiteReport | undefined>>,
  { root, count }: { root: string; count: number },
): string[] {
  return Object.entries(reports)
    .flatMap(([suite, report]) => (report?.testResults ?? []).map((file) => ({ suite, ...file })))
    .map(({ suite, name, startTime, endTime }) => ({ suite, path: relative(root, name), ms: endTime - startTime }))
    .toSorted((one, other) => other.ms - one.ms || one.path.localeCompare(other.path))
    .slice(0, count)
    .map(({ suite, path, ms }) => `${(ms / 1000).toFixed(1)} s  ${suite}: ${path}`)
}
