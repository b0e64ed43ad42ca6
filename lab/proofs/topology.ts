import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { rollingUpgrade } from '@tidegate/e2e/scenarios/topology/rolling-upgrade.ts'

/** `npm run proof -- topology`: upgrades and rolls back under load. Prints one summary line; exits with 1 on failure. */
const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    rounds: { type: 'string', default: '1' },
    mixed: { type: 'string', default: '0' },
    'forward-only': { type: 'boolean', default: false },
  },
})
const startedAt = performance.now()
const { requests, replaced, failures } = await rollingUpgrade({
  from: values.from && resolve(values.from, 'apps/server/dist/tidegate.mjs'),
  rounds: Number(values.rounds),
  mixedRequests: Number(values.mixed),
  rollBack: !values['forward-only'],
})
for (const failure of failures.slice(0, 20)) console.error(failure)
console.log(
  `proof topology ${failures.length > 0 ? 'fails' : 'holds'}: ${replaced} processes replaced under ${requests} requests, ` +
    `${failures.length} failures, ${Math.round((performance.now() - startedAt) / 1000)} s`,
)
process.exitCode = failures.length > 0 ? 1 : 0
