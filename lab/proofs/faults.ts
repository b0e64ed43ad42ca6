import { parseArgs } from 'node:util'
import { FAULTS } from '@tidegate/e2e/scenarios/faults/index.ts'
import { runFault, failuresOf, type FaultPlan, type FaultResult } from '@tidegate/e2e/scenarios/faults/run-fault.ts'
import { runSoakTest } from './faults/soak.ts'
import { describeSoak, summaryOf, tableOf } from './faults/table.ts'

/**
 * `npm run proof -- faults`: injects every fault under load, one after the other. `--only` selects some; `--soak 30m`
 * runs load without faults. Prints a table and one summary line; exits with 1 if something was lost or did not recover.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: Object.keys(FAULTS) },
    rate: { type: 'string', default: '30' },
    soak: { type: 'string' },
  },
})
const load = { callers: 12, requestsPerSecond: Number(values.rate) }
const hasFailed = values.soak === undefined ? await runFaults(values.only) : await runSoak(secondsOf(values.soak))
process.exit(hasFailed ? 1 : 0) // a request that never ends must not keep the process alive

async function runFaults(names: readonly string[]): Promise<boolean> {
  const unknown = names.filter((name) => !(name in FAULTS))
  if (unknown.length > 0)
    throw new Error(`Unknown fault: ${unknown.join(', ')}. Choose from ${Object.keys(FAULTS).join(', ')}`)
  const plan: FaultPlan = { ...load, requests: { before: 120, during: 200, after: 120 }, longestFaultMs: 12_000 }
  const results: FaultResult[] = []
  for (const name of names) {
    const result = await runFault(FAULTS[name]!, plan)
    console.error(`${name}: ${result.lost.length} lost, back after ${result.recoverySeconds.toFixed(1)} s`)
    for (const failure of failuresOf(result).slice(0, 20)) console.error(`${name}: ${failure}`)
    results.push(result)
  }
  console.log(`${tableOf(results)}\n\n${summaryOf(results)}`)
  return results.some((result) => failuresOf(result).length > 0)
}

async function runSoak(seconds: number): Promise<boolean> {
  const result = await runSoakTest({ ...load, seconds })
  for (const failure of result.failures.slice(0, 20)) console.error(`soak: ${failure}`)
  console.log(describeSoak(result))
  return result.failures.length > 0
}

/** `90s`, `30m` or `2h`. */
function secondsOf(text: string): number {
  const [, count, unit] = /^(\d+)([smh])$/.exec(text) ?? []
  if (count === undefined) throw new Error(`${text} is not a duration. Use 90s, 30m or 2h.`)
  return Number(count) * { s: 1, m: 60, h: 3600 }[unit as 's' | 'm' | 'h']
}
