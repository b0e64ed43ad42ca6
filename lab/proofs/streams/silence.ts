import { openStream } from '@tidegate/e2e/scenarios/streams/stream-client.ts'
import { startNginx } from '@tidegate/e2e/scenarios/streams/nginx.ts'
import { ALL_PROTOCOLS } from '@tidegate/e2e/scenarios/streams/protocols.ts'
import type { StreamSite } from '@tidegate/e2e/scenarios/streams/stream-site.ts'

export interface SilencePlan {
  silentSeconds: number
  /** Read timeout of nginx. Default: 60 s. */
  idleLimitSeconds?: number
  /** Ping interval. Default: the option's default of 60 s. */
  pingSeconds?: number
  /** When the first ping must have arrived. */
  firstPingWithinMs: number
}

export interface SilenceResult {
  streams: number
  survived: number
  /** The latest first ping. */
  firstPingAfterMs: number
  /** The longest time between two events or pings. */
  longestGapMs: number
  failures: string[]
}

/** A provider is silent for longer than the proxy's timeout, before its headers or after them, in each protocol. */
export async function measureSilence(site: StreamSite, plan: SilencePlan): Promise<SilenceResult> {
  const { silentSeconds, idleLimitSeconds, pingSeconds } = plan
  await site.setOption('general_setting.ping_interval_enabled', true)
  if (pingSeconds !== undefined) await site.setOption('general_setting.ping_interval_seconds', pingSeconds)
  const limit = idleLimitSeconds === undefined ? [] : [`proxy_read_timeout ${idleLimitSeconds}s`]
  const nginx = await startNginx(site.server.url, limit)
  try {
    const streams = ALL_PROTOCOLS.flatMap((protocol) =>
      (['headersAfterMs', 'firstEventAfterMs'] as const).map((silence) => ({
        url: nginx.url,
        key: site.key,
        protocol,
        silence,
        plan: { kind: 'tick', events: 3, [silence]: silentSeconds * 1000 } as const,
      })),
    )
    const received = await Promise.all(streams.map((one) => openStream(one).ended))
    const failures = received.flatMap(({ complete, status, pingsAfterMs, tail }, index) => {
      const name = `${streams[index]!.protocol.name}, ${streams[index]!.silence}`
      const [first = Infinity] = pingsAfterMs
      return [
        ...(complete
          ? []
          : [`${name}: ended early with ${status} after ${pingsAfterMs.length} pings: ${tail.slice(-300)}`]),
        ...(first > plan.firstPingWithinMs ? [`${name}: the first ping came after ${first} ms`] : []),
      ]
    })
    return {
      streams: received.length,
      survived: received.filter(({ complete }) => complete).length,
      firstPingAfterMs: Math.max(...received.map(({ pingsAfterMs }) => pingsAfterMs[0] ?? Infinity)),
      longestGapMs: Math.max(...received.map(({ pingsAfterMs }) => longestGap(pingsAfterMs))),
      failures,
    }
  } finally {
    await nginx.stop()
    await site.setOption('general_setting.ping_interval_enabled', false)
  }
}

function longestGap(times: readonly number[]): number {
  return Math.max(...times.map((time, index) => time - (times[index - 1] ?? 0)))
}
