import { parseArgs } from 'node:util'
import { fromProcesses } from './callers.ts'
import { storm } from './storm.ts'

/** `npm run proof -- storm`: overspends on one gateway and on three. Ends with one line; exit code 1 when short. */
const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000' },
    gateways: { type: 'string', multiple: true, default: ['1', '3'] },
    processes: { type: 'string', default: '4' },
  },
})
const affordable = 10
const processes = Number(values.processes)
const words: string[] = []
let isShort = false
for (const gateways of values.gateways.map(Number)) {
  const callers = fromProcesses(processes)
  const result = await storm({ calls: Number(values.calls), gateways, affordable, callers })
  for (const shortage of result.short) console.error(`${gateways} gateways: ${shortage}`)
  isShort ||= result.short.length > 0
  words.push(
    `${gateways} gateway${gateways > 1 ? 's' : ''}: ${result.reachedUpstream} reached the upstream, ${result.served} served, ` +
      `${result.refused} refused, lowest balance ${result.lowestBalance} in ${result.looks} looks, ` +
      `${Math.round(result.milliseconds)} ms`,
  )
}
console.log(
  `proof storm ${isShort ? 'is short' : 'holds'}: ${values.calls} calls from ${processes} processes with credit for ` +
    `${affordable}; ${words.join('; ')}`,
)
process.exitCode = isShort ? 1 : 0
