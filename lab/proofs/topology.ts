import { rollingUpgrade } from '@tidegate/e2e/scenarios/topology/rolling-upgrade.ts'

/** `npm run proof -- topology`: a rolling upgrade under load. Ends with one line; exit code 1 when short. */
const startedAt = performance.now()
const { calls, rolled, short } = await rollingUpgrade()
for (const shortage of short.slice(0, 20)) console.error(shortage)
console.log(
  `proof topology ${short.length > 0 ? 'is short' : 'holds'}: ${rolled} processes replaced under ${calls} requests, ` +
    `${short.length} shortages, ${Math.round((performance.now() - startedAt) / 1000)} s`,
)
process.exitCode = short.length > 0 ? 1 : 0
