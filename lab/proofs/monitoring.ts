import { parseArgs } from 'node:util'
import { fireAlerts } from '@tidegate/e2e/scenarios/monitoring/fire-alerts.ts'

/**
 * `npm run proof -- monitoring [--alert <name>]`: causes the condition of every alert on a site of three processes that
 * Prometheus scrapes, with durations 60 times shorter. Prints one summary line; exits with 1 on failure.
 */
const { values } = parseArgs({ options: { alert: { type: 'string' } } })
const startedAt = performance.now()
const { fired, panels, resolvedAfterSeconds, failures } = await fireAlerts(
  (line) => console.log(line),
  values.alert === undefined ? undefined : (alert) => alert === values.alert,
)
for (const failure of failures) console.error(failure)
console.log(
  `proof monitoring ${failures.length > 0 ? 'fails' : 'holds'}: ${fired.length} alerts fired, all resolved after ` +
    `${resolvedAfterSeconds.toFixed(0)} s; ${panels.numbers} of ${panels.all} dashboard queries show a number on an idle ` +
    `site; ${Math.round((performance.now() - startedAt) / 1000)} s`,
)
process.exit(failures.length > 0 ? 1 : 0) // Prometheus and killed processes leave connections behind
