/** The part of vitest's JSON report that counts. */
export interface SuiteReport {
  numTotalTests: number
  testResults: readonly {
    name: string
    status: string
    message?: string
    /** When its first test began and its last one ended, in milliseconds: loading and set-up are not in it. */
    startTime: number
    endTime: number
    assertionResults: readonly { status: string; fullName: string; failureMessages?: readonly string[] }[]
  }[]
}

export interface Sum {
  passed: number
  failed: number
  /** What failed, in words, one line each. */
  failures: string[]
}

/**
 * Adds up the reports of several suites. A suite that left no report, ran no test, could not load one of its files, or
 * ended badly though its tests passed counts as failed: silence must not look like success.
 */
export function sumResults(
  reports: Readonly<Record<string, SuiteReport | undefined>>,
  endedBadly: readonly string[] = [],
): Sum {
  const sums = Object.entries(reports).map(([suite, report]) => sumSuite(suite, report, endedBadly.includes(suite)))
  return {
    passed: sums.reduce((total, { passed }) => total + passed, 0),
    failed: sums.reduce((total, { failed }) => total + failed, 0),
    failures: sums.flatMap(({ failures }) => failures),
  }
}

function sumSuite(suite: string, report: SuiteReport | undefined, endedBadly: boolean): Sum {
  if (report === undefined) return { passed: 0, failed: 1, failures: [`${suite}: left no report`] }
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  const passed = tests.filter(({ status }) => status === 'passed').length
  const failures = report.testResults.flatMap((file) => failuresOf(suite, file))
  if (passed === 0 && failures.length === 0) failures.push(`${suite}: ran no test`)
  if (endedBadly && failures.length === 0) failures.push(`${suite}: ended with an error outside its tests`)
  return { passed, failed: failures.length, failures }
}

function failuresOf(suite: string, file: SuiteReport['testResults'][number]): string[] {
  const failed = file.assertionResults.filter(({ status }) => status === 'failed')
  if (failed.length > 0) return failed.map((test) => `${suite}: ${test.fullName}${reasonOf(test.failureMessages)}`)
  return file.status === 'failed' ? [`${suite}: ${file.name} ${file.message ?? ''}`.trim()] : []
}

/** The first line of the first reason: often all that is left of a run that nobody can repeat. */
function reasonOf(messages: readonly string[] = []): string {
  const line = messages[0]?.split('\n', 1)[0]
  return line ? ` (${line})` : ''
}
