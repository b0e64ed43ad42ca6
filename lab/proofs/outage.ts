import { parseArgs } from 'node:util'
import { type OutagePlan, runOutage } from '@tidegate/e2e/scenarios/outage.ts'

/**
 * `npm run proof -- outage`: takes PostgreSQL and Redis away for two minutes, ten times for five seconds, for two minutes
 * with a crash of the gateway, and with 1,000 accounts. Prints one summary line for each; exits with 1 on failure.
 * `--only 3` runs the third.
 */
const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '120' },
    flaps: { type: 'string', default: '10' },
    'many-accounts': { type: 'string', default: '1000' },
    only: { type: 'string' },
  },
})
const accounts = Number(values.accounts)
const manyAccounts = Number(values['many-accounts'])
const outageSeconds = Number(values.seconds)
const warmUpSeconds = 20
const plans: { name: string; plan: OutagePlan; maxStatements?: number }[] = [
  { name: `${values.seconds} s`, plan: { accounts, warmUpSeconds, outageSeconds } },
  {
    name: `${values.flaps} times 5 s`,
    plan: { accounts, warmUpSeconds, outageSeconds: 5, times: Number(values.flaps) },
  },
  { name: `${values.seconds} s with a restart`, plan: { accounts, warmUpSeconds, outageSeconds, restart: true } },
  {
    name: `${outageSeconds / 4} s, ${manyAccounts} accounts`,
    plan: { accounts: manyAccounts, requestsPerSecond: 0.2, warmUpSeconds, outageSeconds: outageSeconds / 4 },
    maxStatements: 50,
  },
]
const selected = plans.filter((_, index) => values.only === undefined || values.only === String(index + 1))
let hasFailed = false
for (const { name, plan, maxStatements } of selected) {
  const { failures, ...result } = await runOutage(plan)
  const { known, unknown, servedSeconds, readiness } = result
  if (unknown[401] !== undefined) failures.push(`${unknown[401]} requests got 401`)
  // Accounts that send a request every few seconds may have none leased when the outage begins.
  const isBusy = maxStatements === undefined
  if (isBusy && servedSeconds < Math.min(60, plan.outageSeconds))
    failures.push(`known callers were served ${servedSeconds} s`)
  if (readiness[503] !== undefined) failures.push(`not ready ${readiness[503]} times`)
  const [inFirstSecond = 0] = result.statements
  if (maxStatements !== undefined && inFirstSecond > maxStatements)
    failures.push(`${inFirstSecond} statements in the first second:\n${result.firstStatements.join('\n')}`)
  if (result.recoverySeconds > 3) failures.push(`back after ${result.recoverySeconds} s`)
  for (const failure of failures) console.error(`${name}: ${failure}`)
  hasFailed ||= failures.length > 0
  console.log(
    `${name}: ${result.requests} calls of ${plan.accounts} accounts, during the outage ${known.served} served, ` +
      `${known.rejected} rejected, ${known.broken} broken, all served for ${servedSeconds.toFixed(0)} s; ` +
      `unknown key ${JSON.stringify(unknown)}, ready ${JSON.stringify(readiness)}, ` +
      `strict ${JSON.stringify(result.strictReadiness)}, back after ${result.recoverySeconds.toFixed(1)} s, ` +
      `statements per second after the return ${result.statements.join(', ')}` +
      (result.restartSeconds === undefined ? '' : `, restarted in ${result.restartSeconds.toFixed(1)} s`),
  )
}
console.log(`proof outage ${hasFailed ? 'fails' : 'holds'}`)
process.exitCode = hasFailed ? 1 : 0
