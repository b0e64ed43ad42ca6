import { measure } from '../harness/measure.ts'
import { median } from '../report.ts'
import type { BenchTargets } from '../gateway/start-targets.ts'
import type { Target, TargetName } from '../gateway/target.ts'
import { helpersOf, sendStreams, type Shape, type StreamOptions } from './stream-run.ts'

const EVERY_MS = 100
/** The sentences have a little more than four characters per token. */
export const CHARACTERS_PER_TOKEN = 4.6
export const PROMPT_TOKENS = 100_000
const OPENED_PER_SECOND = 500
export const PROMPT_SHAPE: Shape = { chunks: 1, everyMs: 0 }

/** Times are microseconds of the slowest chunk of all streams, without and with long prompts. */
export interface LongPromptRow {
  readonly target: TargetName
  readonly streams: number
  readonly prompts: number
  readonly quietMax: number
  readonly busyMax: number
  /** Medians of the rounds. */
  readonly addedMax: number
  readonly addedP999: number
  readonly promptP50: number
  readonly bad: number
  readonly noise: number
}

export function backgroundShape({ seconds }: Pick<StreamOptions, 'seconds'>, streams: number): Shape {
  return { chunks: Math.ceil(((streams / OPENED_PER_SECOND + seconds + 1) * 1000) / EVERY_MS), everyMs: EVERY_MS }
}

/** Sends one prompt of 100,000 tokens per second beside many streams and measures how the streams suffer. */
export async function measureLongPrompts(
  field: BenchTargets,
  streams: number,
  options: StreamOptions,
): Promise<LongPromptRow[]> {
  const rows: LongPromptRow[] = []
  for (const [name, target] of field.targets) {
    const rounds: Awaited<ReturnType<typeof compareOnce>>[] = []
    for (let round = 0; round < options.rounds; round += 1)
      rounds.push(await compareOnce(field, target, streams, options))
    const middle = (metric: (round: (typeof rounds)[number]) => number) => median(rounds.map(metric))
    rows.push({
      target: name,
      streams,
      prompts: rounds.reduce((sum, { prompts }) => sum + prompts, 0),
      quietMax: middle(({ quiet }) => quiet.max),
      busyMax: middle(({ busy }) => busy.max),
      addedMax: middle(({ quiet, busy }) => busy.max - quiet.max),
      addedP999: middle(({ quiet, busy }) => busy.p999 - quiet.p999),
      promptP50: middle(({ promptP50 }) => promptP50),
      bad: rounds.reduce((sum, { bad }) => sum + bad, 0),
      noise: Math.max(...rounds.map(({ noise }) => noise)),
    })
    console.error(`long prompts, ${name}: ${Math.round(rows.at(-1)!.addedMax / 1000)} ms added at most`)
  }
  return rows
}

async function compareOnce(field: BenchTargets, target: Target, streams: number, options: StreamOptions) {
  const quiet = await runBeside(field, target, streams, options, async () => undefined)
  const busy = await runBeside(field, target, streams, options, () =>
    sendStreams(target, PROMPT_SHAPE, options.cores.load, {
      characters: PROMPT_TOKENS * CHARACTERS_PER_TOKEN,
      connections: 4,
      rate: 1,
      seconds: streams / OPENED_PER_SECOND + 1 + options.seconds,
    }),
  )
  return {
    quiet: quiet.load.chunkDelay,
    busy: busy.load.chunkDelay,
    prompts: busy.beside?.completed ?? 0,
    promptP50: busy.beside?.latency.p50 ?? 0,
    bad: [quiet.load, busy.load, busy.beside].reduce(
      (sum, load) => sum + (load ? load.rejected + load.failed + load.unfinished + load.missingChunks : 0),
      0,
    ),
    noise: Math.max(quiet.noise, busy.noise),
  }
}

async function runBeside<Beside>(
  field: BenchTargets,
  target: Target,
  streams: number,
  options: StreamOptions,
  meanwhile: () => Promise<Beside>,
) {
  let beside: Beside | undefined
  const opening = streams / OPENED_PER_SECOND + 1
  const measured = await measure({
    ...options,
    ...helpersOf(field, target),
    targets: [target.pid],
    send: async () => {
      const sending = sendStreams(target, backgroundShape(options, streams), options.cores.load, {
        connections: streams,
        rate: OPENED_PER_SECOND,
        maxRequests: streams,
        warmUpSeconds: opening,
        seconds: options.seconds,
        drainSeconds: opening + 10,
      })
      const [load, other] = await Promise.all([sending, meanwhile()])
      beside = other
      return load
    },
  })
  return { ...measured, beside }
}
