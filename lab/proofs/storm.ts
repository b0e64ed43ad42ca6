import { parseArgs } from 'node:util'
import { fromProcesses } from '@tidegate/e2e/scenarios/clients.ts'
import { runStorm } from '@tidegate/e2e/scenarios/storm.ts'

/**
 * `npm run proof -- storm`: overspends on one gateway and on three. Prints one summary line; exits with 1 on failure.
 */
const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '200' },
    gateways: { type: 'string', multiple: true, default: ['1', '3'] },
    processes: { type: 'string', default: '4' },
  },
})
const processes = Number(values.processes)
let hasFailed = false
for (const gateways of values.gateways.map(Number)) {
  const { rows: summary, failures } = await runStorm({
    requests: Number(values.calls),
    gateways,
    callers: fromProcesses(processes),
  })
  for (const failure of failures) console.error(`${gateways} gateways: ${failure}`)
  hasFailed ||= failures.length > 0
  console.log(`${gateways} gateway${gateways > 1 ? 's' : ''}, ${values.calls} requests from ${processes} processes:`)
  console.table(summary.map((row) => ({ ...row, milliseconds: Math.round(row.milliseconds) })))
}
console.log(`proof storm ${hasFailed ? 'fails' : 'holds'}`)
process.exitCode = hasFailed ? 1 : 0
