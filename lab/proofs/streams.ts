import { parseArgs } from 'node:util'
import { runManyStreams } from '@tidegate/e2e/scenarios/streams/many-streams.ts'
import { measureSlowReaders } from './streams/slow-readers.ts'
import { measureStreamDelay } from '@tidegate/e2e/scenarios/streams/stream-delay.ts'
import { rejectOversizedRequests } from '@tidegate/e2e/scenarios/streams/oversized-requests.ts'
import { measureLongPrompts } from './streams/long-prompt.ts'
import { openStreamSite, type StreamSite } from '@tidegate/e2e/scenarios/streams/stream-site.ts'
import { measureSilence } from './streams/silence.ts'

const KB = 1024
const MB = 1024 ** 2

/** The result of a part: its text for the summary line, and every goal it missed. */
interface Outcome {
  summary: string
  failures: string[]
}

/** Each part gets its own server, so that none is affected by another. */
const PARTS: Record<string, (site: StreamSite) => Promise<Outcome>> = {
  async pace(site) {
    const { p50, p99, max, bareP99, received, sent, failures } = await measureStreamDelay(site, {
      events: 100,
      everyMs: 200,
    })
    return {
      summary:
        `${received} of ${sent} events behind nginx, delay p50 ${ms(p50)}, p99 ${ms(p99)}, worst ${ms(max)} ` +
        `(p99 ${ms(bareP99)} through a process that only passes bytes on)`,
      failures: [...failures, ...atMost('delay p50 in ms', p50, 5), ...atMost('delay p99 in ms', p99, 20)],
    }
  },
  async silence(site) {
    const { streams, survived, firstPingAfterMs, longestGapMs, failures } = await measureSilence(site, {
      silentSeconds: 180,
      firstPingWithinMs: 16_000, // 15 s, and a moment for the way
    })
    return {
      summary:
        `${survived} of ${streams} streams outlived 180 s of silence behind nginx, first ping after ` +
        `${seconds(firstPingAfterMs)}, longest gap ${seconds(longestGapMs)}`,
      failures: [...failures, ...atMost('streams lost', streams - survived, 0)],
    }
  },
  async 'slow readers'(site) {
    const { readers, readBytes, grownBytes, rssGrownBytes, failures } = await measureSlowReaders(site, {
      readers: 20,
      seconds: 60,
    })
    return {
      summary:
        `${readers} clients at 1 KB/s read ${Math.round(readBytes / KB)} KB in 60 s while the heap grew by ` +
        `${Math.round(grownBytes / KB)} KB and the process by ${Math.round(rssGrownBytes / KB)} KB`,
      failures: [...failures, ...atMost('MB the heap grew by', grownBytes / MB, 4)],
    }
  },
  async oversized(site) {
    const { rejected, grownBytes, peakBytes, failures } = await rejectOversizedRequests(site, { rounds: 8 })
    return {
      summary:
        `${rejected} oversized inputs rejected, heap grew by ${Math.round(grownBytes / KB)} KB, the process by ` +
        `${Math.round(peakBytes / MB)} MB at its peak`,
      failures: [
        ...failures,
        ...atMost('MB the heap grew by', grownBytes / MB, 4),
        ...atMost('MB of the peak', peakBytes / MB, 256),
      ],
    }
  },
  async crowd(site) {
    const found = await runManyStreams(site, { streams: 2_000, everyMs: 5_000 })
    return {
      summary:
        `${found.complete} of ${found.streams} slow streams complete, ${kb(found.heapBytesEach)} of heap, ` +
        `${kb(found.bufferBytesEach)} of buffers and ${kb(found.rssBytesEach)} of the process each, ` +
        `delay p50 ${ms(found.p50)}, p99 ${ms(found.p99)}`,
      failures: [...found.failures, ...atMost('KB of heap for each stream', found.heapBytesEach / KB, 40)],
    }
  },
  async 'long prompt'(site) {
    const found = await measureLongPrompts(site, { streams: 20, everyMs: 20, promptTokens: 200_000, prompts: 25 })
    return {
      summary:
        `${found.prompts} prompts of ${found.countedTokens} tokens added ${ms(found.addedMedian)} to the worst event of ` +
        `20 other streams (median; at most ${ms(found.addedMax)}; worst event ${ms(found.busyWorst)}, without them ` +
        `${ms(found.quietWorst)})`,
      failures: [
        ...found.failures,
        ...atMost('ms added by a long prompt', found.addedMedian, 20),
        ...(found.countedTokens >= 200_000 ? [] : [`only ${found.countedTokens} tokens were counted`]),
      ],
    }
  },
}

/** `npm run proof -- streams`: streams under difficult conditions. Prints one summary line; exits with 1 on failure. */
const { values } = parseArgs({ options: { only: { type: 'string', multiple: true, default: Object.keys(PARTS) } } })
const summaries: string[] = []
let hasFailed = false
for (const name of values.only) {
  const startedAt = performance.now()
  const { summary, failures } = await runPart(name)
  console.log(`${name}: ${summary} (${seconds(performance.now() - startedAt)})`)
  for (const failure of failures.slice(0, 20)) console.error(`${name}: ${failure}`)
  hasFailed ||= failures.length > 0
  summaries.push(summary)
}
console.log(`proof streams ${hasFailed ? 'fails' : 'holds'}: ${summaries.join('; ')}`)
process.exitCode = hasFailed ? 1 : 0

async function runPart(name: string): Promise<Outcome> {
  const site = await openStreamSite()
  try {
    return await PARTS[name]!(site)
  } finally {
    await site.close()
  }
}

function atMost(what: string, is: number, max: number): string[] {
  return is <= max ? [] : [`${what}: ${Math.round(is * 100) / 100} instead of at most ${max}`]
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`
}

function seconds(value: number): string {
  return `${(value / 1000).toFixed(1)} s`
}

function kb(bytes: number): string {
  return `${(bytes / KB).toFixed(1)} KB`
}
