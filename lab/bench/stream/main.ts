import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { buildNative } from '../harness/build-programs.ts'
import { describeMachine, layOutCores, maxStreams } from '../machine/machine.ts'
import { markdownTable } from '../report.ts'
import { OUT } from '../harness/paths.ts'
import { printProfile, profileTarget } from '../gateway/profile.ts'
import { MODEL, startTargets } from '../gateway/start-targets.ts'
import { LABELS, TARGET_NAMES, type TargetName } from '../gateway/target.ts'
import { RESPONSE, type LargePromptRow, measureLargePrompts } from './large-prompt.ts'
import { type ManyStreamsRow, measureManyStreams } from './many-streams.ts'
import { backgroundShape, type LongPromptRow, measureLongPrompts, PROMPT_SHAPE, PROMPT_TOKENS } from './long-prompt.ts'
import {
  measureStreamDelay,
  type StreamDelaySummary,
  summariseStreamDelay,
  type TestName,
  TESTS,
} from './stream-delay.ts'
import { modelOf, sendStreams } from './stream-run.ts'

/**
 * `npm run bench:stream [-- --quick] [--parts pace,large,crowd,prompt] [--streams 2000,10000] [--beside 500] [--rounds 3]
 * [--seconds 10] [--only direct,undici,tidegate]` measures the cost of relaying streams. `--before <folder>` adds the build
 * of another checkout, except to the crowd. `--profile spaced` or `burst` shows where the time of these streams goes instead.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    parts: { type: 'string', default: 'pace,large,crowd,prompt' },
    streams: { type: 'string' },
    beside: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    only: { type: 'string', default: 'direct,undici,tidegate,tidegate-cross' },
    noise: { type: 'string', default: '0.12' },
    before: { type: 'string' },
    profile: { type: 'string' },
  },
})
const options = {
  names: values.only.split(',').map((name): TargetName => {
    const known = TARGET_NAMES.find((candidate) => candidate === name)
    if (known === undefined) throw new Error(`no target ${name}; there are ${TARGET_NAMES.join(', ')}`)
    return known
  }),
  rounds: Number(values.rounds ?? (values.quick ? 1 : 3)),
  seconds: Number(values.seconds ?? (values.quick ? 2 : 10)),
  maxNoise: Number(values.noise),
  maxTries: values.quick ? 1 : 3,
  cores: layOutCores(),
}
const parts = values.parts.split(',')
const sizes = (values.streams ?? (values.quick ? '200' : '2000,10000')).split(',').map(Number)
const beside = Number(values.beside ?? (values.quick ? 50 : 500))

await buildNative()
if (values.profile !== undefined) {
  const test = TESTS[values.profile as TestName]
  const target = options.names.length === 1 ? options.names[0]! : 'tidegate'
  const sending = { connections: test.connections, seconds: options.seconds }
  const summary = await profileTarget({
    target,
    cores: options.cores,
    models: [modelOf(test.shape)],
    send: (to) => sendStreams(to, test.shape, options.cores.load, sending),
  })
  printProfile(summary)
  process.exit(0)
}
const results: Record<string, unknown> = { options }
let machine = await describeMachine()
const shapes = [
  ...Object.values(TESTS).map(({ shape }) => shape),
  backgroundShape(options, beside),
  PROMPT_SHAPE,
  RESPONSE,
]
const models = [MODEL, ...new Set(shapes.map(modelOf))]
if (parts.some((part) => part !== 'crowd')) {
  const { before } = values
  const field = await startTargets({ ...options, models, ...(before !== undefined && { before }) })
  try {
    machine = await describeMachine(field.site?.database)
    if (parts.includes('pace')) {
      const rows = await measureStreamDelay(field, options)
      const summaries = summariseStreamDelay(rows)
      Object.assign(results, { pace: summaries, paceRows: rows })
      printStreamDelay(summaries)
    }
    if (parts.includes('large')) {
      const rows = await measureLargePrompts(field, options)
      results.largePrompts = rows
      printLargePrompts(rows)
    }
    if (parts.includes('prompt')) {
      const rows = await measureLongPrompts(field, beside, options)
      results.longPrompts = rows
      printLongPrompts(rows)
    }
    for (const reason of field.missing) console.log(`- not measured: ${reason}`)
  } finally {
    await field.close()
  }
}
if (parts.includes('crowd')) {
  const max = maxStreams()
  const fitting = [...new Set(sizes.map((size) => Math.min(size, max)))]
  const rows = await measureManyStreams(fitting, options)
  results.crowds = rows
  printManyStreams(rows)
  if (sizes.some((size) => size > max)) console.log(`- a process may open files for ${max} relayed streams here\n`)
}
console.log(`${machine}. Medians of ${options.rounds} rounds, open streams in one; times in µs.`)
await writeFile(`${OUT}stream.json`, `${JSON.stringify({ machine, ...results }, undefined, 2)}\n`)

function printStreamDelay(summaries: readonly StreamDelaySummary[]): void {
  const of = (test: StreamDelaySummary['test']) => summaries.filter((summary) => summary.test === test)
  console.log('### Time to the first byte of a stream\n')
  console.log(
    markdownTable(
      ['target', 'p50', 'p99', 'added p50', 'added p99', 'not completed', 'noise, cores'],
      of('first').map((row) => [
        LABELS[row.target],
        row.firstP50,
        row.firstP99,
        row.addedFirstP50,
        row.addedFirstP99,
        String(row.bad),
        row.noise,
      ]),
    ),
  )
  for (const [test, title] of [
    ['spaced', '50 streams of 100 chunks, 10 ms apart'],
    ['burst', '16 streams of 200 chunks, back to back'],
  ] as const) {
    console.log(`\n### ${title}\n`)
    console.log(
      markdownTable(
        [
          'target',
          'CPU/chunk',
          '× bare undici',
          'chunks/s',
          'delay p50',
          'delay p99',
          'added p99',
          'lost',
          'noise, cores',
        ],
        of(test).map((row) => [
          LABELS[row.target],
          row.cpuPerChunk,
          row.timesBare?.toFixed(2),
          row.chunksPerSecond,
          row.delayP50,
          row.delayP99,
          row.addedDelayP99,
          String(row.bad),
          row.noise,
        ]),
      ),
    )
  }
  console.log('')
}

function printLargePrompts(rows: readonly LargePromptRow[]): void {
  console.log(`### Prompts of ${PROMPT_TOKENS.toLocaleString('en-US')} tokens, 4 whole and 4 streamed at once\n`)
  const heads = [
    'target',
    'CPU/request',
    '× bare undici',
    'requests/s',
    'added p99, whole',
    'added p99, first chunk',
    'RSS MB',
    'bad',
    'noise, cores',
  ]
  const cells = rows.map((row) => [
    LABELS[row.target],
    row.cpuPerRequest,
    row.timesBare?.toFixed(2),
    row.requestsPerSecond,
    row.addedWholeP99,
    row.addedFirstP99,
    row.residentMb,
    String(row.bad),
    row.noise,
  ])
  console.log(`${markdownTable(heads, cells)}\n`)
}

function printLongPrompts(rows: readonly LongPromptRow[]): void {
  console.log(`### A prompt of ${PROMPT_TOKENS.toLocaleString('en-US')} tokens each second beside ${beside} streams\n`)
  const heads = [
    'target',
    'prompts',
    'worst chunk without',
    'worst with',
    'added',
    'added p99.9',
    'prompt p50',
    'bad',
    'noise, cores',
  ]
  const cells = rows.map((row) => [
    LABELS[row.target],
    String(row.prompts),
    row.quietMax,
    row.busyMax,
    row.addedMax,
    row.addedP999,
    row.promptP50,
    String(row.bad),
    row.noise,
  ])
  console.log(`${markdownTable(heads, cells)}\n`)
}

function printManyStreams(rows: readonly ManyStreamsRow[]): void {
  console.log('### Open streams, a chunk a second each\n')
  const heads = [
    'streams',
    'target',
    'KB each',
    'RSS MB',
    'cores busy',
    'chunks/s',
    'delay p50',
    'delay p99',
    'added p99',
    'lost',
    'later than 20 ms',
    'rejected',
    'broken',
    'unfinished',
    'noise, cores',
  ]
  const cells = rows.map((row) => [
    row.streams,
    LABELS[row.target],
    row.kbPerStream,
    row.residentMb,
    row.busyCores,
    row.chunksPerSecond,
    row.delayP50,
    row.delayP99,
    row.addedP99,
    String(row.lost),
    String(row.late),
    String(row.rejected),
    String(row.failed),
    String(row.unfinished),
    row.noise,
  ])
  console.log(`${markdownTable(heads, cells)}\n`)
}
