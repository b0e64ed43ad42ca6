import { rollingUpgrade } from '@tidegate/e2e/scenarios/topology/rolling-upgrade.ts'

/** `npm run proof -- topology`: a rolling upgrade under load. Prints one summary line; exits with 1 on failure. */
const startedAt = performance.now()
const { requests, rolled, failures } = await rollingUpgrade()
for (const failure of failures.slice(0, 20)) console.error(failure)
console.log(
  `proof topology ${failures.length > 0 ? 'fails' : 'holds'}: ${rolled} processes replaced under ${requests} requests, ` +
    `${failures.length} shortages, ${Math.round((performance.now() - startedAt) / 1000)} s`,
)
process.exitCode = failures.length > 0 ? 1 : 0
