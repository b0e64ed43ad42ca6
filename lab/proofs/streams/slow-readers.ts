import type { IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { until } from '@tidegate/e2e/scenarios/until.ts'
import { send } from '@tidegate/e2e/scenarios/streams/stream-client.ts'
import { ALL_PROTOCOLS, PROTOCOLS, type Protocol } from '@tidegate/e2e/scenarios/streams/protocols.ts'
import { openServerMemory } from '@tidegate/e2e/scenarios/streams/server-memory.ts'
import type { StreamSite } from '@tidegate/e2e/scenarios/streams/stream-site.ts'
import type { TimedUpstream } from '@tidegate/e2e/scenarios/streams/timed-upstream.ts'

export interface SlowReadersPlan {
  readers: number
  seconds: number
}

export interface SlowReadersResult {
  readers: number
  /** What the clients read, per second and in total. */
  readBytes: number
  /** What providers could send; most of it is in socket buffers. */
  sentBytes: number
  /** Growth of heap and buffers between the first seconds and the end. */
  grownBytes: number
  rssGrownBytes: number
  failures: string[]
}

const BYTES_PER_SECOND = 1024
/** All buffers are full when nothing was read for this long. */
const STILL_MS = 5_000
const STILL_WITHIN_MS = 120_000

/** Clients read 1 KB per second while providers send as fast as they can, also with responses to convert. */
export async function measureSlowReaders(
  site: StreamSite,
  { readers, seconds }: SlowReadersPlan,
): Promise<SlowReadersResult> {
  const memory = await openServerMemory(site.server)
  const { key, upstream } = site
  try {
    const kinds: { protocol: Protocol; model?: string }[] = [
      ...ALL_PROTOCOLS.map((protocol) => ({ protocol })),
      { protocol: PROTOCOLS.chat, model: PROTOCOLS.messages.model },
    ]
    const plan = { kind: 'flood' } as const
    const sending = Array.from({ length: readers }, (_, index) =>
      send({ url: site.server.url, key, plan, ...kinds[index % kinds.length]! }),
    )
    const slow = await Promise.all(sending.map(readSlowly))
    if (!(await untilStill(upstream))) throw new Error('the upstream is not slowed down')
    const before = await memory.measure()
    const sentBefore = upstream.floodedBytes

    await delay(seconds * 1000)

    const after = await memory.measure()
    const readBytes = slow.reduce((sum, reader) => sum + reader.bytes, 0)
    const broken = slow.filter(({ ended }) => ended).length
    for (const request of sending) request.destroy()
    return {
      readers,
      readBytes,
      sentBytes: upstream.floodedBytes,
      grownBytes: after.heap + after.buffers - before.heap - before.buffers,
      rssGrownBytes: after.rss - before.rss,
      failures: [
        ...(broken > 0 ? [`${broken} streams ended although there was more to read`] : []),
        ...(upstream.floodedBytes - sentBefore > (seconds * BYTES_PER_SECOND + 1024 ** 2) * readers
          ? ['the upstream was not slowed down']
          : []),
      ],
    }
  } finally {
    memory.close()
  }
}

async function untilStill(upstream: TimedUpstream): Promise<boolean> {
  let bytes = -1
  let since = performance.now()
  return until(() => {
    if (upstream.floodedBytes !== bytes) since = performance.now()
    bytes = upstream.floodedBytes
    return performance.now() - since > STILL_MS
  }, STILL_WITHIN_MS)
}

interface SlowReader {
  bytes: number
  ended: boolean
}

/** Never takes more than one second's worth from the socket. */
async function readSlowly(request: ReturnType<typeof send>): Promise<SlowReader> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).on('error', reject)
  })
  const reader: SlowReader = { bytes: 0, ended: false }
  response.once('close', () => (reader.ended = true)).on('error', () => {})
  const timer = setInterval(() => {
    if (reader.ended) return clearInterval(timer)
    const piece = (response.read(BYTES_PER_SECOND) ?? null) as Buffer | null
    reader.bytes += piece?.length ?? 0
  }, 1000)
  return reader
}
