import { parseArgs } from 'node:util'
import { failovers, type Access } from '@tidegate/e2e/scenarios/failover/faults.ts'
import { failuresOf, runFault, type FaultPlan, type FaultResult } from '@tidegate/e2e/scenarios/faults/run-fault.ts'
import { tableOf } from './faults/table.ts'

/**
 * `npm run proof -- failover`: changes the primary of three PostgreSQL nodes under load. It needs the programs patroni,
 * etcd and haproxy. `--access hosts` lists all nodes in DATABASE_URL instead of using HAProxy. Prints a table and one
 * summary line; exits with 1 if something was lost or did not recover.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: Object.keys(failovers) },
    access: { type: 'string', multiple: true, default: ['haproxy', 'hosts'] },
    times: { type: 'string', default: '10' },
    rate: { type: 'string', default: '30' },
  },
})
const BACK_WITHIN_SECONDS = 15
const plan: FaultPlan = {
  callers: 12,
  requestsPerSecond: Number(values.rate),
  requests: { before: 120, during: 200, after: 120 },
  longestFaultMs: 12_000,
  times: Number(values.times),
}
const results: FaultResult[] = []
const failures: string[] = []
for (const access of values.access as Access[]) {
  for (const name of values.only) {
    const result = await runFault(failovers[name]!(access), plan)
    const { served, rejected } = result.duringFault
    console.error(
      `${result.name}: ${result.lost.length} lost, back after ${result.recoverySeconds.toFixed(1)} s at most, ` +
        `${served} of ${served + rejected} served while there was no primary`,
    )
    const found = failuresOf(result)
    if (result.recoverySeconds > BACK_WITHIN_SECONDS) found.push(`back only after ${result.recoverySeconds} s`)
    for (const failure of found.slice(0, 20)) console.error(`${result.name}: ${failure}`)
    failures.push(...found)
    results.push(result)
  }
}
const sum = (metric: (result: FaultResult) => number) => results.reduce((total, result) => total + metric(result), 0)
console.log(
  `${tableOf(results)}\n\nproof failover ${failures.length > 0 ? 'fails' : 'holds'}: ` +
    `${results.length * plan.times!} changes of the primary, ${sum(({ requests }) => requests)} calls, ` +
    `${sum(({ lost }) => lost.length)} lost, ${sum(({ duringFault }) => duringFault.served)} served and ` +
    `${sum(({ duringFault }) => duringFault.rejected)} rejected meanwhile, slowest to be back ` +
    `${Math.max(...results.map(({ recoverySeconds }) => recoverySeconds)).toFixed(1)} s`,
)
process.exit(failures.length > 0 ? 1 : 0) // a request that never ends must not keep the process alive
