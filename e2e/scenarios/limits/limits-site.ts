import { randomBytes } from 'node:crypto'
import type { api, BodyInput } from '@tidegate/contract'
import { addToken, fakeUpstream, type FakeUpstream, type RunningServer } from '@tidegate/testing'
import { setBalance } from '../books.ts'
import { privateRedis, type PrivateRedis } from '../private-services.ts'
import { seedSite, openSite } from '../site.ts'
import { until } from '../until.ts'

/** Gateways with one PostgreSQL and one Redis that can be stopped. */
export interface LimitsSite {
  readonly upstream: FakeUpstream
  readonly redis: PrivateRedis
  readonly nodes: readonly RunningServer[]
  /** Creates a token with these limits. */
  newKey(limits: Partial<BodyInput<typeof api.createToken>>): Promise<string>
  /** False if requests are still open after a while. */
  untilQuiet(): Promise<boolean>
  close(): Promise<void>
}

/** Long enough that nothing refills during a run. */
export const LONG_WINDOW_SECONDS = 3_600
const LARGE_QUOTA = 1_000_000_000
const QUIET_LIMIT_MS = 60_000

export async function openLimitsSite({ gateways = 2 } = {}): Promise<LimitsSite> {
  const upstream = await fakeUpstream()
  const redis = await privateRedis()
  const site = await openSite({ redisUrl: redis.url })
  const nodes: RunningServer[] = []
  const close = async () => {
    await Promise.all(nodes.map((node) => node.stop()))
    await Promise.all([site.close(), redis.remove(), upstream.close()])
  }
  try {
    const metricsToken = randomBytes(16).toString('hex')
    const env = { TIDEGATE_METRICS_TOKEN: metricsToken }
    nodes.push(await site.start({ env }))
    const { client, userId } = await seedSite(nodes[0]!.url, upstream)
    await setBalance(site.database.db, userId, LARGE_QUOTA)
    while (nodes.length < gateways) nodes.push(await site.start({ args: ['--role', 'gateway'], env }))
    return {
      upstream,
      redis,
      nodes,
      newKey: async (limits) => (await addToken(client, limits)).secret,
      untilQuiet: () =>
        until(async () => {
          const open = await Promise.all(nodes.map(({ url }) => openRequests(url, metricsToken)))
          return open.every((requests) => requests === 0)
        }, QUIET_LIMIT_MS),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function openRequests(url: string, token: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  return Number(/^tidegate_open_calls (\d+)$/m.exec(await response.text())?.[1] ?? NaN)
}
