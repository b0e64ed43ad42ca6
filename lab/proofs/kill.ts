import { parseArgs } from 'node:util'
import { killAndReconcile, type KillPlan } from '@tidegate/e2e/scenarios/kill.ts'

/**
 * `npm run proof -- kill`: kills the gateway, then PostgreSQL, then Redis; with `--only clickhouse` the log store. Prints one summary line; exits with 1 on
 * failure.
 */
const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '5000' },
    callers: { type: 'string', default: '64' },
    /** `clickhouse`: log rows are there, and the response to every third insert is lost. */
    'log-store': { type: 'string' },
    only: { type: 'string', multiple: true, default: ['gateway', 'postgres', 'redis'] },
  },
})
const TIMES: Record<KillPlan['victim'], number> = { gateway: 5, postgres: 2, redis: 2, clickhouse: 3 }
const summaries: string[] = []
let hasFailed = false
for (const victim of values.only as KillPlan['victim'][]) {
  const times = TIMES[victim]
  const result = await killAndReconcile({
    requests: Number(values.calls),
    callers: Number(values.callers),
    victim,
    times,
    logStore: values['log-store'] === 'clickhouse' ? 'clickhouse' : undefined,
  })
  for (const failure of result.failures.slice(0, 20)) console.error(`${victim}: ${failure}`)
  hasFailed ||= result.failures.length > 0
  summaries.push(
    `${victim} away ${times} times: ${result.complete} seen complete and settled once, ${result.broken} broken, ` +
      `${result.left} left, ${result.rejected} rejected, ${result.interrupted} billed as interrupted, ` +
      `${result.unseen} settled unseen, ${Math.round(result.milliseconds / 1000)} s`,
  )
}
console.log(`proof kill ${hasFailed ? 'fails' : 'holds'}: ${values.calls} calls each; ${summaries.join('; ')}`)
process.exitCode = hasFailed ? 1 : 0
