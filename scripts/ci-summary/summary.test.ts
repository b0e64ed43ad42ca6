import { expect, it } from 'vitest'
import { countResults, parseSteps, slowestFiles, type SuiteReport } from './summary.ts'

function report(statuses: string[], file = 'passed'): SuiteReport {
  const assertionResults = statuses.map((status, index) => ({ status, fullName: `test ${index + 1}` }))
  return { testResults: [{ name: 'a.test.ts', status: file, startTime: 0, endTime: 1, assertionResults }] }
}

const failedUnit = parseSteps('lint\tok\t40\t95\nunit tests\tfailed\t70\t90\n')

it('adds up passed and failed tests and ignores skipped ones', () => {
  const counts = countResults({
    unit: report(['passed', 'passed', 'skipped']),
    db: report(['failed', 'passed'], 'failed'),
  })

  expect(counts).toEqual({ passed: 3, failed: 1, failures: ['db: test 1'] })
})

it('shows the first line of the failure message', () => {
  const [file] = report(['failed'], 'failed').testResults
  const failed = { ...file!.assertionResults[0]!, failureMessages: ['expected 1 to be 2\n    at a line', 'another'] }

  expect(countResults({ db: { testResults: [{ ...file!, assertionResults: [failed] }] } }).failures).toEqual([
    'db: test 1 (expected 1 to be 2)',
  ])
})

it.each([
  ['could not load a file', report([], 'failed')],
  ['ran no test', report([])],
  ['skipped every test', report(['skipped'])],
  ['left no report', undefined],
])('fails a suite that %s', (_, suite) => {
  expect(countResults({ unit: report(['passed']), e2e: suite })).toMatchObject({ passed: 1, failed: 1 })
})

it('fails a suite that exited with an error although every test passed', () => {
  expect(countResults({ unit: report(['passed']) }, failedUnit)).toMatchObject({ passed: 1, failed: 1 })
  expect(countResults({ unit: report(['failed'], 'failed') }, failedUnit)).toMatchObject({ failed: 1 })
})

it('counts a failed check as one failure', () => {
  const steps = parseSteps('lint\tfailed\t40\t95\ntypes\tok\t3\t50\n')

  expect(countResults({ unit: report(['passed']) }, steps)).toEqual({
    passed: 1,
    failed: 1,
    failures: ['step failed: lint'],
  })
})

it('lists the slowest files of all suites', () => {
  const file = (name: string, ms: number) => ({
    ...report(['passed']).testResults[0]!,
    name: `/repository/${name}`,
    endTime: ms,
  })
  const reports = {
    unit: { testResults: [file('quick.test.ts', 200), file('thorough.test.ts', 12_340)] },
    browser: { testResults: [file('e2e/long.test.ts', 80_000)] },
    db: undefined,
  }

  expect(slowestFiles(reports, { root: '/repository', count: 2 })).toEqual([
    '  80.0 s  browser: e2e/long.test.ts',
    '  12.3 s  unit: thorough.test.ts',
  ])
})
