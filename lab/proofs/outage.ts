import { parseArgs } from 'node:util'
import { runOutage } from '@tidegate/e2e/scenarios/outage.ts'

/**
 * `npm run proof -- outage`: takes PostgreSQL and Redis away for two minutes, then ten times for five seconds. Prints
 * one summary line; exits with 1 on failure.
 */
const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '120' },
    flaps: { type: 'string', default: '10' },
  },
})
const accounts = Number(values.accounts)
const plans = [
  { name: `${values.seconds} s`, plan: { accounts, warmUpSeconds: 20, outageSeconds: Number(values.seconds) } },
  {
    name: `${values.flaps} times 5 s`,
    plan: { accounts, warmUpSeconds: 20, outageSeconds: 5, times: Number(values.flaps) },
  },
]
let hasFailed = false
for (const { name, plan } of plans) {
  const { failures, ...result } = await runOutage(plan)
  const { known, unknown, servedSeconds, readiness } = result
  if (unknown[401] !== undefined) failures.push(`${unknown[401]} requests got 401`)
  if (servedSeconds < Math.min(60, plan.outageSeconds)) failures.push(`known callers were served ${servedSeconds} s`)
  if (readiness[503] !== undefined) failures.push(`not ready ${readiness[503]} times`)
  if (result.recoverySeconds > 3) failures.push(`back after ${result.recoverySeconds} s`)
  for (const failure of failures) console.error(`${name}: ${failure}`)
  hasFailed ||= failures.length > 0
  console.log(
    `${name}: ${result.requests} calls of ${accounts} accounts, during the outage ${known.served} served, ` +
      `${known.rejected} rejected, ${known.broken} broken, all served for ${servedSeconds.toFixed(0)} s; ` +
      `unknown key ${JSON.stringify(unknown)}, ready ${JSON.stringify(readiness)}, ` +
      `strict ${JSON.stringify(result.strictReadiness)}, back after ${result.recoverySeconds.toFixed(1)} s`,
  )
}
console.log(`proof outage ${hasFailed ? 'fails' : 'holds'}`)
process.exitCode = hasFailed ? 1 : 0
