import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { buildNative, startMock, copyOfProduct } from '../harness/build-programs.ts'
import { describeMachine, layOutCores } from '../machine/machine.ts'
import { markdownTable } from '../report.ts'
import { OUT } from '../harness/paths.ts'
import { privatePostgres } from '../harness/private-postgres.ts'
import { type GrowthRow, measureGrowth } from './measure-growth.ts'
import { measureStatements, type StatementRow } from './measure-statements.ts'
import { planSteps, type SizeLists } from './plan-steps.ts'
import { openScaleSite, type ScaleSite } from './scale-site.ts'
import { sustain, type SustainResult } from './sustain.ts'

/**
 * `npm run bench:scale [-- --quick | --full] [--accounts 1000,10000] [--tokens …] [--channels …] [--log-rows …]
 * [--active 1000] [--minutes 1] [--rate 2000] [--rounds 3] [--seconds 5] [--parts growth,processes,sustain]` measures
 * whether a request costs the same on a large site, how many SQL statements it causes, and what is settled over
 * minutes.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    accounts: { type: 'string' },
    tokens: { type: 'string' },
    channels: { type: 'string' },
    'log-rows': { type: 'string' },
    active: { type: 'string' },
    minutes: { type: 'string' },
    rate: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    noise: { type: 'string', default: '0.12' },
    parts: { type: 'string', default: 'growth,processes,sustain' },
  },
})
const size = <Value>(quick: Value, usual: Value, full: Value) => (values.quick ? quick : values.full ? full : usual)
const listOf = (given: string | undefined, usual: string) => (given ?? usual).split(',').map(Number)
const lists: SizeLists = {
  accounts: listOf(values.accounts, size('200,2000', '1000,10000', '1000,100000,1000000')),
  tokens: listOf(values.tokens, size('200,2000', '1000,10000', '1000,1000000')),
  channels: listOf(values.channels, size('2,20', '10,200', '10,2000')),
  logRows: listOf(values['log-rows'], size('0,20000', '0,100000', '0,10000000')),
}
const active = Number(values.active ?? size(200, 1000, 1000))
const minutes = Number(values.minutes ?? size(0.1, 1, 10))
const parts = values.parts.split(',')
const cores = layOutCores()

await buildNative()
const product = await copyOfProduct()
const mock = await startMock(cores.load)
const postgres = await privatePostgres(cores.database)
const options = {
  rounds: Number(values.rounds ?? size(1, 3, 5)),
  seconds: Number(values.seconds ?? size(2, 5, 8)),
  maxNoise: Number(values.noise),
  maxTries: size(1, 3, 3),
  cores,
  mockPid: mock.pid,
  postgresPid: postgres.pid,
}
const steps = planSteps(lists)
const open = (name: string) =>
  openScaleSite({ name, product, upstreamPort: mock.port, cores, active, sizes: steps[0]!.sizes })
const results: Record<string, unknown> = { options, lists, active, minutes }
const sites: ScaleSite[] = []
try {
  const large = await open('large')
  sites.push(large)
  results.machine = await describeMachine(large.site.database)
  if (parts.includes('growth')) {
    const small = await open('small')
    sites.push(small)
    const rows = await measureGrowth(small, large, steps, options)
    results.growth = rows
    printGrowth(rows)
    await small.close()
    sites.pop()
  }
  if (parts.includes('processes')) await compareProcesses(large)
  if (parts.includes('sustain')) {
    const rate = values.rate === undefined ? undefined : Number(values.rate)
    console.error(`calling for ${minutes} minutes …`)
    const sustained = await sustain(large, minutes, options, rate)
    results.sustained = sustained
    printSustainResult(sustained)
  }
  console.log(`${String(results.machine)}. ${active} tokens in use, medians of ${options.rounds} rounds, times in µs.`)
  await writeFile(`${OUT}scale.json`, `${JSON.stringify(results, undefined, 2)}\n`)
} finally {
  for (const site of sites) await site.close()
  await postgres.stop()
  await mock.stop()
}

/** Measures one process of the site, then two gateways that share the connections. */
async function compareProcesses({ site, process, keyFile }: ScaleSite): Promise<void> {
  const one = await measureStatements([process], keyFile, site.database, options)
  const second = await site.start('tidegate-second', {
    product,
    cores: cores.secondTarget,
    args: ['--role', 'gateway'],
  })
  try {
    const two = await measureStatements([process, second], keyFile, site.database, options)
    results.processes = { one, two }
    printStatements([...one.rows, ...two.rows])
    console.log(
      `- statements a second without requests: ${one.idlePerSecond.toFixed(1)} with one process, ` +
        `${two.idlePerSecond.toFixed(1)} with two\n`,
    )
  } finally {
    await second.stop()
  }
}

function printGrowth(rows: readonly GrowthRow[]): void {
  console.log('### A call on a site that grows\n')
  const heads = [
    'the site has',
    'CPU/request',
    '× small site',
    '× in the best rounds',
    'PostgreSQL CPU/request',
    '× small site',
    'requests/s',
    'p99',
    'RSS MB',
    'not completed',
    'noise, cores',
  ]
  const cells = rows.map((row) => [
    row.what,
    row.cpu,
    row.timesSmall.toFixed(2),
    row.bestTimesSmall.toFixed(2),
    row.database,
    row.databaseTimesSmall.toFixed(2),
    row.requestsPerSecond,
    row.p99,
    row.residentMb,
    String(row.bad),
    row.noise,
  ])
  console.log(`${markdownTable(heads, cells)}\n`)
}

function printStatements(rows: readonly StatementRow[]): void {
  console.log('### Statements to the database\n')
  const heads = [
    'gateways',
    'load',
    'requests/s',
    'SQL statements/1,000 requests',
    'CPU/request',
    'PostgreSQL CPU/request',
    'p99',
    'not completed',
    'noise, cores',
  ]
  const cells = rows.map((row) => [
    String(row.processes),
    row.what,
    row.requestsPerSecond,
    row.statementsPerThousand,
    row.cpu,
    row.database,
    row.p99,
    String(row.bad),
    row.noise,
  ])
  console.log(`${markdownTable(heads, cells)}\n`)
}

function printSustainResult(found: SustainResult): void {
  console.log(`### ${found.minutes} minutes without a pause\n`)
  const trends = (['waiting', 'journalMb', 'residentMb'] as const).map((field) => {
    const { max, firstThird, lastThird, perMinute } = found[field]
    const names = { waiting: 'settlements that wait', journalMb: 'journal, MB', residentMb: 'RSS, MB' }
    return [names[field], max, firstThird, lastThird, perMinute]
  })
  console.log(markdownTable(['', 'most', 'first third', 'last third', 'change a minute, second half'], trends))
  console.log(
    `\n- ${found.requestsPerSecond.toFixed(0)} requests/s completed, ${found.settledPerSecond.toFixed(0)} settled, ` +
      `p99 ${(found.p99 / 1000).toFixed(1)} ms, ${found.bad} not completed`,
  )
  console.log(`- completed: ${found.completed}; settled: ${found.settled}\n`)
}
