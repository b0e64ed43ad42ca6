import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { type Asked, type Heard, listen } from './stream-client.ts'
import { startNginx } from './nginx.ts'
import { ALL_PROTOCOLS, PROTOCOLS } from './protocols.ts'
import { quantile } from '../quantile.ts'
import type { StreamSite } from './stream-site.ts'

export interface PacePlan {
  events: number
  everyMs: number
}

export interface PaceResult {
  /** Events that came, and those that were sent. */
  heard: number
  sent: number
  p50: number
  p99: number
  max: number
  /** Through a process that does nothing: what the machine alone makes of it. */
  bareP99: number
  short: string[]
}

/**
 * Events at a steady pace behind an nginx with its defaults, one stream in each protocol and one that is converted. As
 * many go through a process that only passes bytes on, for comparison.
 */
export async function keepPace(site: StreamSite, { events, everyMs }: PacePlan): Promise<PaceResult> {
  const bare = await startBareProxy(site.upstream.url)
  const nginx = await startNginx(site.server.url)
  const bareNginx = await startNginx(bare.url)
  const { key } = site
  const order = { kind: 'tick', events, everyMs } as const
  try {
    const { chat, messages } = PROTOCOLS
    const asked: Asked[] = [
      ...ALL_PROTOCOLS.map((protocol) => ({ url: nginx.url, key, protocol, order })),
      { url: nginx.url, key, protocol: chat, order, model: messages.model },
    ]
    const compared = asked.map(() => ({ url: bareNginx.url, key, protocol: chat, order }))
    // Compiled and connected before it counts, as a server is that has run for a while.
    const warmUp = { ...order, events: 20, everyMs: 5 }
    await Promise.all([...asked, ...compared].map((one) => listen({ ...one, order: warmUp }).ended))

    const [heard, bareHeard] = await Promise.all([asked, compared].map((some) => listenInTurn(some, everyMs)))
    const delays = heard!.flatMap((one) => one.delays)
    return {
      heard: delays.length,
      sent: asked.length * events,
      p50: quantile(delays, 0.5),
      p99: quantile(delays, 0.99),
      max: Math.max(...delays),
      bareP99: quantile(
        bareHeard!.flatMap((one) => one.delays),
        0.99,
      ),
      short: heard!.flatMap(({ status, complete, tail }, index) =>
        complete ? [] : [`${asked[index]!.protocol.name} ended early with ${status}: ${tail.slice(-300)}`],
      ),
    }
  } finally {
    bare.stop()
    await Promise.all([nginx.stop(), bareNginx.stop()])
  }
}

/** One after the other, or one moment in which this machine does something else would hit them all. */
function listenInTurn(asked: readonly Asked[], everyMs: number): Promise<Heard[]> {
  return Promise.all(
    asked.map(async (one, index) => {
      await delay((index * everyMs) / asked.length)
      return await listen(one).ended
    }),
  )
}

async function startBareProxy(target: string): Promise<{ url: string; stop(): void }> {
  const child = fork(new URL('./bare-proxy.ts', import.meta.url), [target])
  const [port] = (await once(child, 'message')) as [number]
  return { url: `http://127.0.0.1:${port}`, stop: () => child.disconnect() }
}
