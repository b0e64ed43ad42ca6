import { addChannel, addToken, apiClient, setUpSite, startServerOn, withServices } from '@tidegate/testing'
import { type Metric, median } from './report.ts'
import { load, type LoadResult, type Target } from './load.ts'
import { startUpstream } from './upstream-process.ts'

const ROUNDS = 3
const WARM_UP_SECONDS = 2
const PROMPT = 'How high does the tide rise tonight, and when may we open the gate? '.repeat(12)

/** Compares chat requests through the gateway with the same requests sent directly to the upstream, in turns. */
export async function measureChat({ seconds }: { seconds: number }): Promise<Metric[]> {
  const upstream = await startUpstream()
  try {
    return await measureAgainst(upstream, seconds)
  } finally {
    await upstream.stop()
  }
}

async function measureAgainst(upstream: { url: string }, seconds: number): Promise<Metric[]> {
  const server = await startServerOn(withServices)
  try {
    const client = apiClient(server.url)
    await setUpSite(client)
    await addChannel(client, upstream)
    const { secret } = await addToken(client)
    const direct = { url: upstream.url, key: 'any' }
    const gateway = { url: server.url, key: secret }
    return [
      ...(await compare('chat, 1 caller', direct, gateway, { seconds, callers: 1, stream: false })),
      ...(await compare('chat, 32 callers', direct, gateway, { seconds, callers: 32, stream: false })),
      ...(await compare('streamed chat, 32 callers', direct, gateway, { seconds, callers: 32, stream: true })),
    ]
  } finally {
    await server.stop()
  }
}

interface Shape {
  seconds: number
  callers: number
  stream: boolean
}

async function compare(name: string, direct: Target, gateway: Target, shape: Shape): Promise<Metric[]> {
  const { callers, stream } = shape
  const body = JSON.stringify({ model: 'gpt-4o-mini', stream, messages: [{ role: 'user', content: PROMPT }] })
  for (const target of [direct, gateway]) await load(target, { seconds: WARM_UP_SECONDS, callers, body })
  const rounds: { direct: LoadResult; gateway: LoadResult }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const options = { seconds: shape.seconds / ROUNDS, callers, body }
    rounds.push({ direct: await load(direct, options), gateway: await load(gateway, options) })
  }

  const through = (field: keyof LoadResult) => median(rounds.map((round) => round.gateway[field]))
  const ratio = (field: keyof LoadResult) => median(rounds.map((round) => round.gateway[field] / round.direct[field]))
  const errors = rounds.reduce((sum, round) => sum + round.gateway.errors + round.direct.errors, 0)
  return [
    { name: `${name}, throughput`, value: through('requestsPerSecond'), unit: 'requests/s' },
    { name: `${name}, throughput against direct`, value: ratio('requestsPerSecond'), unit: 'times' },
    { name: `${name}, p50`, value: through('p50'), unit: 'ms' },
    { name: `${name}, p50 against direct`, value: ratio('p50'), unit: 'times' },
    { name: `${name}, p99`, value: through('p99'), unit: 'ms' },
    ...(stream
      ? [{ name: `${name}, first byte against direct`, value: ratio('firstByteP50'), unit: 'times' } as const]
      : []),
    ...(errors > 0 ? [{ name: `${name}, failed calls`, value: errors, unit: 'errors' } as const] : []),
  ]
}
