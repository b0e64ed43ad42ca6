import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { buildNative } from '../harness/build-programs.ts'
import { describeMachine, layOutCores } from '../machine/machine.ts'
import { formatNumber, markdownTable } from '../report.ts'
import { OUT } from '../harness/paths.ts'
import { runLoad } from '../harness/run-load.ts'
import { measureAllocations, printAllocations } from './allocations.ts'
import { checkGoals } from './goals.ts'
import { printProfile, profileTarget } from './profile.ts'
import { runRounds } from './rounds.ts'
import { startTargets } from './start-targets.ts'
import { pairedRatio, summarise, type Summary } from './summarise.ts'
import { BEFORE, LABELS, TARGET_NAMES, type TargetName } from './target.ts'

/**
 * `npm run bench:gateway [-- --quick] [--rounds 5] [--seconds 6] [--concurrency 1,64,256] [--only tidegate,undici]`
 * compares Tidegate with its peers on one chat request. `--before <folder>` adds the build of another checkout. `--profile`
 * shows where Tidegate spends its time instead, and `--allocations` what it allocates per request.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    allocations: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    concurrency: { type: 'string', default: '1,64,256' },
    only: { type: 'string', default: TARGET_NAMES.filter((name) => name !== BEFORE).join(',') },
    noise: { type: 'string', default: '0.12' },
    before: { type: 'string' },
  },
})
const names = values.only.split(',').map((name): TargetName => {
  const known = TARGET_NAMES.find((candidate) => candidate === name)
  if (known === undefined) throw new Error(`no target ${name}; there are ${TARGET_NAMES.join(', ')}`)
  return known
})
const seconds = Number(values.seconds ?? (values.quick ? 1.5 : 6))
const cores = layOutCores()

const NOTES =
  'CPU is that of the whole process tree, until the last call was settled. Load, upstream and PostgreSQL share a core, ' +
  'the target has the other. Tidegate checks a token with every kind of limit, leases credit, journals and settles each ' +
  'call; like the peers, it does not log each response.'

await buildNative()
if (values.profile) await profile()
else if (values.allocations) await allocations()
else await compare()

async function profile(): Promise<void> {
  const target = names.length === 1 ? names[0]! : 'tidegate'
  const seconds = Number(values.seconds ?? (values.quick ? 5 : 30))
  const summary = await profileTarget({
    target,
    cores,
    send: ({ port, headers, bodyFile }) =>
      runLoad({ ports: [port], headers, bodyFile, connections: 64, seconds, cores: cores.load }),
  })
  console.log(`## ${LABELS[target]}: where the time goes\n`)
  printProfile(summary)
  await writeFile(`${OUT}profile-${target}.json`, `${JSON.stringify(summary, undefined, 2)}\n`)
}

async function allocations(): Promise<void> {
  const target = names.length === 1 ? names[0]! : 'tidegate-gateway'
  const measured = await measureAllocations({
    target,
    seconds: Number(values.seconds ?? (values.quick ? 3 : 10)),
    concurrency: 64,
    cores,
  })
  console.log(`## ${LABELS[target]}: allocations\n`)
  printAllocations(measured)
  await writeFile(`${OUT}allocations-${target}.json`, `${JSON.stringify(measured, undefined, 2)}\n`)
}

async function compare(): Promise<void> {
  const options = {
    rounds: Number(values.rounds ?? (values.quick ? 1 : 5)),
    seconds,
    warmUpRequests: values.quick ? 5_000 : 60_000,
    concurrencies: values.concurrency.split(',').map(Number),
    maxNoise: Number(values.noise),
    maxTries: values.quick ? 1 : 3,
    cores,
  }
  const field = await startTargets({ names, cores, ...(values.before !== undefined && { before: values.before }) })
  try {
    const { rows, completed } = await runRounds(field, options)
    const summaries = summarise(rows)
    const verdicts = checkGoals(summaries)
    const settled = await field.site?.settledRequests()
    const machine = await describeMachine(field.site?.database)

    console.log(`${tableOf(summaries)}\n`)
    for (const { goal, metric, isReached } of verdicts) {
      console.log(`- ${goal}: ${metric.toFixed(2)}, ${isReached ? 'reached' : 'not reached'}`)
    }
    const ratio = pairedRatio(rows, 'tidegate', BEFORE)
    if (ratio) console.log(`- CPU, times the other checkout, by round: ${ratio}`)
    if (settled !== undefined) console.log(`- requests that Tidegate completed: ${completed}; settled: ${settled}`)
    for (const reason of field.missing) console.log(`- not measured: ${reason}`)
    console.log(`\n${machine}. ${options.rounds} rounds of ${seconds} s, medians; times in µs. ${NOTES}`)
    const all = { machine, options, summaries, verdicts, completed, booked: settled, missing: field.missing, rows }
    await writeFile(`${OUT}gateway.json`, `${JSON.stringify(all, undefined, 2)}\n`)
  } finally {
    await field.close()
  }
}

function tableOf(summaries: readonly Summary[]): string {
  return markdownTable(
    [
      'at once',
      'target',
      'CPU/request',
      '× bare undici',
      'PostgreSQL CPU/request',
      'requests/s',
      'added p50',
      'added p99',
      'RSS MB',
      'not completed',
      'noise, cores',
    ],
    summaries.map((row) => [
      row.concurrency,
      LABELS[row.target],
      row.cpuPerRequest,
      row.timesBare?.toFixed(2),
      row.databasePerRequest > 0 ? formatNumber(row.databasePerRequest) : undefined,
      row.requestsPerSecond,
      row.target === 'direct' ? undefined : row.addedP50,
      row.target === 'direct' ? undefined : row.addedP99,
      row.residentMb,
      row.bad === 0 ? '0' : row.bad,
      row.noise,
    ]),
  )
}
