import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { slowestFiles } from './test-results/slowest-files.ts'
import { type SuiteReport, sumResults } from './test-results/sum-results.ts'

/**
 * `sum-test-results.ts --reports <folder> [--failed-step <name>]… [--failed-suite <name>]… <suite>…` prints the
 * ten slowest files, what failed and, as its last line, how many tests passed and failed. A failed step that is no test
 * counts as one failure.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    reports: { type: 'string' },
    'failed-step': { type: 'string', multiple: true, default: [] },
    'failed-suite': { type: 'string', multiple: true, default: [] },
  },
})
if (values.reports === undefined || positionals.length === 0) throw new Error('give --reports and the names of suites')

const reports: Record<string, SuiteReport | undefined> = {}
for (const suite of positionals) {
  const text = await readFile(join(values.reports, `${suite}.json`), 'utf8').catch(() => undefined)
  reports[suite] = text === undefined ? undefined : (JSON.parse(text) as SuiteReport)
}

console.log('slowest files, from the first test to the last:')
for (const line of slowestFiles(reports, { root: process.cwd(), count: 10 })) console.log(`  ${line}`)

const { passed, failed, failures } = sumResults(reports, values['failed-suite'])
const steps = values['failed-step']
for (const line of [...steps.map((step) => `step failed: ${step}`), ...failures]) console.log(line)
console.log(`${passed} passed, ${failed + steps.length} failed`)
process.exitCode = failed + steps.length === 0 ? 0 : 1
