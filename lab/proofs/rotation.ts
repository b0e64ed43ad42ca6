import { parseArgs } from 'node:util'
import { rotateUnderLoad } from '@tidegate/e2e/scenarios/rotation.ts'

/** `npm run proof -- rotation`: prints one summary line; exits with 1 on failure. */
const { values } = parseArgs({ options: { values: { type: 'string', default: '100000' } } })
const result = await rotateUnderLoad({ values: Number(values.values), kill: true, callers: 4, settleSeconds: 10 })
for (const failure of result.failures.slice(0, 20)) console.error(failure)
const hasFailed = result.failures.length > 0
console.log(
  `proof rotation ${hasFailed ? 'fails' : 'holds'}: ${values.values} sealed tokens, a first attempt killed halfway; ` +
    `the second encrypted ${result.resealed} values in ${result.seconds.toFixed(1)} s, beside ${result.requests} requests ` +
    `and ${result.edits} rounds of changed secrets on two nodes; ${result.failures.length} failures`,
)
process.exitCode = hasFailed ? 1 : 0
