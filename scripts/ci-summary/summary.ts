import { relative } from 'node:path'

/** The part of vitest's JSON report that the summary reads. */
export interface SuiteReport {
  testResults: readonly FileReport[]
}

interface FileReport {
  name: string
  status: string
  message?: string
  /** Start of the first test and end of the last one, in milliseconds. Imports and environment are not included. */
  startTime: number
  endTime: number
  assertionResults: readonly { status: string; fullName: string; failureMessages?: readonly string[] }[]
}

/** One step of the run, as `.ci/run` records it. */
export interface Step {
  name: string
  status: 'ok' | 'failed'
  seconds: number
  /** How busy all cores were, other programs included. */
  busyPercent: number
}

export interface TestCounts {
  passed: number
  failed: number
  /** One line per failure. */
  failures: string[]
}

/** Parses `steps.tsv`: name, status, seconds and percent per line. */
export function parseSteps(text: string): Step[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [name = '', status, seconds, busyPercent] = line.split('\t')
      return {
        name,
        status: status === 'ok' ? 'ok' : 'failed',
        seconds: Number(seconds),
        busyPercent: Number(busyPercent),
      }
    })
}

/**
 * Adds up steps and suites. A suite fails if it left no report, ran no test, could not load a file, or exited with an
 * error although its tests passed. A failed step that is not a suite counts as one failure.
 */
export function countResults(
  reports: Readonly<Record<string, SuiteReport | undefined>>,
  steps: readonly Step[] = [],
): TestCounts {
  const failedSteps = steps.filter(({ status }) => status === 'failed').map(({ name }) => name)
  const suites = Object.entries(reports).map(([suite, report]) =>
    countSuite(suite, report, failedSteps.includes(stepOf(suite))),
  )
  const suiteSteps = new Set(Object.keys(reports).map(stepOf))
  const checks = failedSteps.filter((name) => !suiteSteps.has(name)).map((name) => `step failed: ${name}`)
  return {
    passed: suites.reduce((total, { passed }) => total + passed, 0),
    failed: suites.reduce((total, { failed }) => total + failed, checks.length),
    failures: [...checks, ...suites.flatMap(({ failures }) => failures)],
  }
}

function stepOf(suite: string): string {
  return `${suite} tests`
}

function countSuite(suite: string, report: SuiteReport | undefined, exitedWithError: boolean): TestCounts {
  if (report === undefined) return { passed: 0, failed: 1, failures: [`${suite}: left no report`] }
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const passed = tests.filter(({ status }) => status === 'passed').length
  const failures = report.testResults.flatMap((file) => failuresOf(suite, file))
  if (passed === 0 && failures.length === 0) failures.push(`${suite}: ran no test`)
  if (exitedWithError && failures.length === 0) failures.push(`${suite}: exited with an error outside its tests`)
  return { passed, failed: failures.length, failures }
}

function failuresOf(suite: string, file: FileReport): string[] {
  const failed = file.assertionResults.filter(({ status }) => status === 'failed')
  if (failed.length > 0) return failed.map((test) => `${suite}: ${test.fullName}${reasonOf(test.failureMessages)}`)
  return file.status === 'failed' ? [`${suite}: ${file.name} ${file.message ?? ''}`.trim()] : []
}

/** The first line of the first failure message. */
function reasonOf(messages: readonly string[] = []): string {
  const line = messages[0]?.split('\n', 1)[0]
  return line ? ` (${line})` : ''
}

/** The slowest test files of all suites, slowest first, one line each. */
export function slowestFiles(
  reports: Readonly<Record<string, SuiteReport | undefined>>,
  { root, count }: { root: string; count: number },
): string[] {
  return Object.entries(reports)
    .flatMap(([suite, report]) => (report?.testResults ?? []).map((file) => ({ suite, ...file })))
    .map(({ suite, name, startTime, endTime }) => ({ suite, path: relative(root, name), ms: endTime - startTime }))
    .toSorted((one, other) => other.ms - one.ms || one.path.localeCompare(other.path))
    .slice(0, count)
    .map(({ suite, path, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${suite}: ${path}`)
}
