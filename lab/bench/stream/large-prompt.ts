import { writeChatBody } from '../harness/chat-body.ts'
import { measure } from '../harness/measure.ts'
import { runLoad } from '../harness/run-load.ts'
import { median } from '../report.ts'
import { MODEL, type BenchTargets } from '../gateway/start-targets.ts'
import type { Target, TargetName } from '../gateway/target.ts'
import { CHARACTERS_PER_TOKEN, PROMPT_TOKENS } from './long-prompt.ts'
import { helpersOf, sendStreams, type Shape, type StreamOptions } from './stream-run.ts'

/** Half of the connections send streamed requests. */
const CONNECTIONS_PER_KIND = 4
export const RESPONSE: Shape = { chunks: 100, everyMs: 1 }

/** Times are medians of the rounds, in microseconds. Added times are compared with the upstream within a round. */
export interface LargePromptRow {
  readonly target: TargetName
  readonly cpuPerRequest: number
  readonly timesBare: number | undefined
  readonly requestsPerSecond: number
  readonly addedWholeP99: number | undefined
  readonly addedFirstP99: number | undefined
  readonly residentMb: number
  readonly bad: number
  readonly noise: number
}

/** Sends prompts of 100,000 tokens, half of them as streams. */
export async function measureLargePrompts(field: BenchTargets, options: StreamOptions): Promise<LargePromptRow[]> {
  const rounds: Map<TargetName, Awaited<ReturnType<typeof measureOnce>>>[] = []
  for (let round = 0; round <= options.rounds; round += 1) {
    const row: (typeof rounds)[number] = new Map()
    for (const [name, target] of field.targets) row.set(name, await measureOnce(field, target, options))
    if (round > 0) rounds.push(row) // the first is a warm-up
    console.error(`large prompts, round ${round} of ${options.rounds}`)
  }
  return [...field.targets.keys()].map((name) => {
    const own = rounds.map((round) => round.get(name)!)
    const against = (other: TargetName, compare: (row: (typeof own)[number], to: (typeof own)[number]) => number) => {
      const values = rounds.flatMap((round) => {
        const to = round.get(other)
        return to && other !== name ? [compare(round.get(name)!, to)] : []
      })
      return values.length > 0 ? median(values) : undefined
    }
    const middle = (metric: (row: (typeof own)[number]) => number) => median(own.map(metric))
    return {
      target: name,
      cpuPerRequest: middle(({ cpu }) => cpu),
      timesBare: against('undici', (row, bare) => row.cpu / bare.cpu),
      requestsPerSecond: middle(({ perSecond }) => perSecond),
      addedWholeP99: against('direct', (row, direct) => row.wholeP99 - direct.wholeP99),
      addedFirstP99: against('direct', (row, direct) => row.firstP99 - direct.firstP99),
      residentMb: middle(({ residentMb }) => residentMb),
      bad: own.reduce((sum, { bad }) => sum + bad, 0),
      noise: Math.max(...own.map(({ noise }) => noise)),
    }
  })
}

async function measureOnce(field: BenchTargets, target: Target, options: StreamOptions) {
  const characters = PROMPT_TOKENS * CHARACTERS_PER_TOKEN
  const sending = { connections: CONNECTIONS_PER_KIND, seconds: options.seconds, warmUpSeconds: 0.5 }
  const wholeBody = await writeChatBody(MODEL, { characters })
  let streamed: Awaited<ReturnType<typeof sendStreams>> | undefined
  const { load, ...measured } = await measure({
    ...options,
    ...helpersOf(field, target),
    targets: [target.pid],
    send: async () => {
      const { port, headers } = target
      const whole = runLoad({ ...sending, ports: [port], headers, bodyFile: wholeBody, cores: options.cores.load })
      const [load, streams] = await Promise.all([
        whole,
        sendStreams(target, RESPONSE, options.cores.load, { ...sending, characters }),
      ])
      streamed = streams
      await target.settle?.()
      return { ...load, cpuMicroseconds: load.cpuMicroseconds + streams.cpuMicroseconds }
    },
  })
  const both = [load, streamed!]
  return {
    cpu: measured.cpuMicroseconds / (load.completed + streamed!.completed),
    perSecond: load.perSecond + streamed!.perSecond,
    wholeP99: load.latency.p99,
    firstP99: streamed!.firstEvent.p99,
    residentMb: measured.residentMb,
    bad: both.reduce((sum, { rejected, failed, unfinished }) => sum + rejected + failed + unfinished, 0),
    noise: measured.noise,
  }
}
