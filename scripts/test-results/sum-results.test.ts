import { describe, expect, it } from 'vitest'
import { type SuiteReport, sumResults } from './sum-results.ts'

function report(statuses: string[], file = 'passed'): SuiteReport {
  const assertionResults = statuses.map((status, index) => ({ status, fullName: `test ${index + 1}` }))
  const times = { startTime: 0, endTime: 1 }
  return {
    numTotalTests: statuses.length,
    testResults: [{ name: 'a.test.ts', status: file, ...times, assertionResults }],
  }
}

describe('the sum of suites', () => {
  it('adds passed and failed tests, and leaves skipped ones out', () => {
    const sum = sumResults({
      unit: report(['passed', 'passed', 'skipped']),
      db: report(['failed', 'passed'], 'failed'),
    })

    expect(sum).toEqual({ passed: 3, failed: 1, failures: ['db: test 1'] })
  })

  it('says of what failed the first line of the reason', () => {
    const failed = report(['failed'], 'failed')
    const tests = failed.testResults[0]!.assertionResults.map((test) => ({
      ...test,
      failureMessages: ['expected 1 to be 2\n    at a line', 'another'],
    }))

    const sum = sumResults({ db: { ...failed, testResults: [{ ...failed.testResults[0]!, assertionResults: tests }] } })

    expect(sum.failures).toEqual(['db: test 1 (expected 1 to be 2)'])
  })

  it('fails a file that could not be loaded, whose tests never ran', () => {
    expect(sumResults({ unit: report([], 'failed') })).toMatchObject({ failed: 1, failures: ['unit: a.test.ts'] })
    expect(sumResults({ unit: report(['skipped'], 'failed') })).toMatchObject({ failed: 1 })
  })

  it.each([
    ['ran no test', report([])],
    ['skipped all of them', report(['skipped'])],
    ['left no report', undefined],
  ])('fails a suite that %s', (_, suite) => {
    expect(sumResults({ unit: report(['passed']), e2e: suite })).toMatchObject({ passed: 1, failed: 1 })
  })

  it('fails a suite that ended badly though every test passed', () => {
    expect(sumResults({ unit: report(['passed']) }, ['unit'])).toMatchObject({ passed: 1, failed: 1 })
    expect(sumResults({ unit: report(['failed'], 'failed') }, ['unit'])).toMatchObject({ failed: 1 })
  })
})
