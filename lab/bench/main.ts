import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { measureChat } from './chat.ts'
import { measureColdStart } from './cold-start.ts'
import { measureConsoleSize } from './console-size.ts'
import { measureCredit } from './credit/measure-credit.ts'
import { measureIdleMemory } from './idle-memory.ts'
import { type Metric, printMetrics } from './report.ts'

/**
 * `npm run bench [-- --only <part>] [--seconds 5] [--json results.json]` measures the built product on this machine.
 * Everything runs on the loopback address: compare ratios within one run, not values between machines.
 */
const PARTS: Record<string, (options: { seconds: number }) => Promise<Metric[]>> = {
  start: measureColdStart,
  memory: measureIdleMemory,
  console: measureConsoleSize,
  chat: measureChat,
  credit: measureCredit,
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: Object.keys(PARTS) },
    seconds: { type: 'string', default: '5' },
    json: { type: 'string' },
  },
})

const metrics: Metric[] = []
for (const part of values.only) {
  const measure = PARTS[part]
  if (measure === undefined) throw new Error(`no part ${part}; there are ${Object.keys(PARTS).join(', ')}`)
  console.error(`measuring ${part} …`)
  metrics.push(...(await measure({ seconds: Number(values.seconds) })))
}
printMetrics(metrics)
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(metrics, undefined, 2)}\n`)
