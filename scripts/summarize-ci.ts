import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { countResults, parseSteps, slowestFiles, type SuiteReport } from './ci-summary/summary.ts'

/**
 * `summarize-ci.ts <folder> <suite>…` reads `steps.tsv` and the JSON report of each suite from the folder. It prints the
 * seconds of every step, the 20 slowest test files, all failures and, as its last line, the counts.
 */
const [folder, ...suites] = process.argv.slice(2)
if (folder === undefined || suites.length === 0) throw new Error('usage: summarize-ci.ts <folder> <suite>…')

const steps = parseSteps(await readFile(join(folder, 'steps.tsv'), 'utf8'))
const reports: Record<string, SuiteReport | undefined> = {}
for (const suite of suites) {
  const text = await readFile(join(folder, `${suite}.json`), 'utf8').catch(() => undefined)
  reports[suite] = text === undefined ? undefined : (JSON.parse(text) as SuiteReport)
}
const { passed, failed, failures } = countResults(reports, steps)

console.log('seconds per step (steps of two lanes overlap), and how busy the cores were:')
for (const { name, status, seconds, busyPercent } of steps) {
  console.log(`${String(seconds).padStart(5)} s  ${String(busyPercent).padStart(3)} %  ${name}: ${status}`)
}
console.log('slowest test files, from the start of the first test to the end of the last:')
for (const line of slowestFiles(reports, { root: process.cwd(), count: 20 })) console.log(line)
for (const line of failures) console.log(line)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
