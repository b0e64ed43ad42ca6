import { parseArgs } from 'node:util'
import { killBatchWorker } from '@tidegate/e2e/scenarios/batches.ts'

/** `npm run proof -- batches`: kills the worker while a batch runs. Prints one summary line; exits with 1 on failure. */
const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '2' },
    concurrency: { type: 'string', default: '32' },
    place: { type: 'string', default: 'site' },
  },
})
const { failures, lines, executions, charged, milliseconds } = await killBatchWorker({
  lines: Number(values.lines),
  kills: Number(values.kills),
  concurrency: Number(values.concurrency),
  place: values.place === 'provider' ? 'provider' : 'site',
})
for (const failure of failures.slice(0, 20)) console.error(failure)
console.log(
  `proof batches ${failures.length > 0 ? 'fails' : 'holds'}: ${lines} lines finished once at the ${values.place} while the worker was killed ` +
    `${values.kills} times, ${executions} requests reached the provider, ${charged} charged, ` +
    `${Math.round(milliseconds / 1000)} s`,
)
process.exitCode = failures.length > 0 ? 1 : 0
