import { setTimeout as delay } from 'node:timers/promises'
import { openStream, type OpenStream } from './stream-client.ts'
import { PROTOCOLS } from './protocols.ts'
import { quantile } from '../quantile.ts'
import { openServerMemory } from './server-memory.ts'
import type { StreamSite } from './stream-site.ts'

export interface ManyStreamsPlan {
  streams: number
  everyMs: number
}

export interface ManyStreamsResult {
  streams: number
  /** Streams that completed after all were measured. */
  complete: number
  heapBytesEach: number
  bufferBytesEach: number
  rssBytesEach: number
  /** Delay of events while all streams were open. */
  p50: number
  p99: number
  failures: string[]
}

const OPEN_AT_ONCE = 100

/** Opens many streams in one process that send an event every few seconds, like real chats. */
export async function runManyStreams(
  site: StreamSite,
  { streams, everyMs }: ManyStreamsPlan,
): Promise<ManyStreamsResult> {
  const { server, upstream, key } = site
  const memory = await openServerMemory(server)
  const send = (plan: { events?: number; everyMs: number }) =>
    openStream({ url: server.url, key, protocol: PROTOCOLS.chat, plan: { kind: 'tick', ...plan } })
  try {
    // Warm-up: what the first streams allocate once (code, pools, caches) must not count.
    await Promise.all(Array.from({ length: OPEN_AT_ONCE }, () => send({ events: 20, everyMs: 5 }).ended))
    const empty = await memory.measure()

    const listening: OpenStream[] = []
    while (listening.length < streams) {
      const more = Array.from({ length: Math.min(OPEN_AT_ONCE, streams - listening.length) }, () => send({ everyMs }))
      listening.push(...more)
      await Promise.all(more.map(({ begun }) => begun))
    }
    const openedAt = performance.now()
    await delay(2 * everyMs)
    const measuredAt = performance.now() // from here on, garbage collection delays events
    const full = await memory.measure()

    upstream.finishTicks()
    const received = await Promise.all(listening.map(({ ended }) => ended))
    const complete = received.filter((one) => one.complete).length
    const delays = received.flatMap(({ delays, receivedAt }) =>
      delays.filter((_, index) => receivedAt[index]! > openedAt && receivedAt[index]! < measuredAt),
    )
    const failed = received.find((one) => !one.complete)
    return {
      streams,
      complete,
      heapBytesEach: (full.heap - empty.heap) / streams,
      bufferBytesEach: (full.buffers - empty.buffers) / streams,
      rssBytesEach: (full.rss - empty.rss) / streams,
      p50: quantile(delays, 0.5),
      p99: quantile(delays, 0.99),
      failures: failed
        ? [`${streams - complete} streams ended early, one with ${failed.status}: ${failed.tail.slice(-300)}`]
        : [],
    }
  } finally {
    memory.close()
  }
}
