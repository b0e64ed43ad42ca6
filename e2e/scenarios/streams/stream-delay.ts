import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { type StreamRequest, type ReceivedStream, openStream } from './stream-client.ts'
import { startNginx } from './nginx.ts'
import { ALL_PROTOCOLS, PROTOCOLS } from './protocols.ts'
import { quantile } from '../quantile.ts'
import type { StreamSite } from './stream-site.ts'

export interface StreamDelayPlan {
  events: number
  everyMs: number
}

export interface StreamDelayResult {
  /** Events that arrived, and events that were sent. */
  received: number
  sent: number
  p50: number
  p99: number
  max: number
  /** Through a process that only forwards bytes: what the machine alone adds. */
  bareP99: number
  failures: string[]
}

/**
 * Measures the delay of steady events behind an nginx with its defaults: one stream per protocol and one that is
 * converted. The same streams go through a process that only forwards bytes, for comparison.
 */
export async function measureStreamDelay(
  site: StreamSite,
  { events, everyMs }: StreamDelayPlan,
): Promise<StreamDelayResult> {
  const bare = await startBareProxy(site.upstream.url)
  const nginx = await startNginx(site.server.url)
  const bareNginx = await startNginx(bare.url)
  const { key } = site
  const plan = { kind: 'tick', events, everyMs } as const
  try {
    const { chat, messages } = PROTOCOLS
    const streams: StreamRequest[] = [
      ...ALL_PROTOCOLS.map((protocol) => ({ url: nginx.url, key, protocol, plan })),
      { url: nginx.url, key, protocol: chat, plan, model: messages.model },
    ]
    const compared = streams.map(() => ({ url: bareNginx.url, key, protocol: chat, plan }))
    // Warm-up: code is compiled and connections are open before it counts.
    const warmUp = { ...plan, events: 20, everyMs: 5 }
    await Promise.all([...streams, ...compared].map((one) => openStream({ ...one, plan: warmUp }).ended))

    const [received, bareReceived] = await Promise.all([streams, compared].map((some) => streamInTurn(some, everyMs)))
    const delays = received!.flatMap((one) => one.delays)
    return {
      received: delays.length,
      sent: streams.length * events,
      p50: quantile(delays, 0.5),
      p99: quantile(delays, 0.99),
      max: Math.max(...delays),
      bareP99: quantile(
        bareReceived!.flatMap((one) => one.delays),
        0.99,
      ),
      failures: received!.flatMap(({ status, complete, tail }, index) =>
        complete ? [] : [`${streams[index]!.protocol.name} ended early with ${status}: ${tail.slice(-300)}`],
      ),
    }
  } finally {
    bare.stop()
    await Promise.all([nginx.stop(), bareNginx.stop()])
  }
}

/** Starts one after the other, so that a busy moment of the machine does not hit all of them. */
function streamInTurn(streams: readonly StreamRequest[], everyMs: number): Promise<ReceivedStream[]> {
  return Promise.all(
    streams.map(async (one, index) => {
      await delay((index * everyMs) / streams.length)
      return await openStream(one).ended
    }),
  )
}

async function startBareProxy(target: string): Promise<{ url: string; stop(): void }> {
  const child = fork(new URL('./bare-proxy.ts', import.meta.url), [target])
  const [port] = (await once(child, 'message')) as [number]
  return { url: `http://127.0.0.1:${port}`, stop: () => child.disconnect() }
}
