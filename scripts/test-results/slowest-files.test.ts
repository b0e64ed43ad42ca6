import { expect, it } from 'vitest'
import { slowestFiles } from './slowest-files.ts'
import type { SuiteReport } from './sum-results.ts'

function report(seconds: Record<string, number>): SuiteReport {
  return {
    numTotalTests: 0,
    testResults: Object.entries(seconds).map(([name, taken]) => ({
      name: `/repository/${name}`,
      status: 'passed',
      startTime: 60_000,
      endTime: 60_000 + taken * 1000,
      assertionResults: [],
    })),
  }
}

it('names the files of all suites that took longest, slowest first', () => {
  const reports = {
    unit: report({ 'quick.test.ts': 0.2, 'thorough.test.ts': 12.34 }),
    e2e: report({ 'e2e/long.test.ts': 80, 'e2e/short.test.ts': 3 }),
  }

  expect(slowestFiles(reports, { root: '/repository', count: 3 })).toEqual([
    '80.0 s  e2e: e2e/long.test.ts',
    '12.3 s  unit: thorough.test.ts',
    '3.0 s  e2e: e2e/short.test.ts',
  ])
})

it('has nothing to say of a suite that left no report', () => {
  expect(slowestFiles({ unit: undefined }, { root: '/repository', count: 3 })).toEqual([])
})
